import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useMemo } from "react";
import type { Answer } from "#app/lib/api/answer.ts";

/** Answers that the server found, as they travel in the page. */
export type Seed = readonly (readonly [address: string, answer: Answer<unknown>])[];

/**
 * Puts the server's answers where the components look for them. What is already known is newer and
 * stays. The position in the log stands for the time of an answer, so that the same content makes
 * the same page, byte for byte.
 */
export function Seeded({ seed, children }: { seed: Seed; children: ReactNode }) {
  const client = useQueryClient();
  useMemo(() => {
    for (const [address, answer] of seed) {
      if (client.getQueryData([address]) === undefined) {
        client.setQueryData([address], answer, { updatedAt: answer.sequence });
      }
    }
  }, [client, seed]);
  return children;
}
