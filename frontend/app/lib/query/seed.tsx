import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useMemo } from "react";
import type { Answer } from "#app/lib/api/answer.ts";

type Seeds = readonly (readonly [address: string, answer: Answer<unknown>])[];

/**
 * Answers that the server found, as they travel in the page: as JSON. The router would send them in
 * a form of its own, which a script must take apart piece by piece; the browser reads JSON at once.
 */
export type Seed = string;

export const NOTHING_FOUND: Seed = "[]";

export function seedOf(answers: Seeds): Seed {
  return JSON.stringify(answers);
}

/**
 * Puts the server's answers where the components look for them. What is already known is newer and
 * stays. The position in the log stands for the time of an answer, so that the same content makes
 * the same page, byte for byte.
 */
export function Seeded({ seed, children }: { seed: Seed; children: ReactNode }) {
  const client = useQueryClient();
  useMemo(() => {
    for (const [address, answer] of JSON.parse(seed) as Seeds) {
      if (client.getQueryData([address]) === undefined) {
        client.setQueryData([address], answer, { updatedAt: answer.sequence });
      }
    }
  }, [client, seed]);
  return children;
}
