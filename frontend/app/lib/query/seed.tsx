import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import type { Answer } from "#app/lib/api/answer.ts";

const ID = "answers";

type Seeds = readonly (readonly [address: string, answer: Answer<unknown>])[];

/**
 * The answers that the server rendered from, once, as JSON in the document: the browser starts with
 * them (`plantAnswers`). No script runs here, so the policy has nothing to allow.
 */
export function SeedAnswers() {
  const client = useQueryClient();
  return (
    <script
      id={ID}
      type="application/json"
      // In the browser it has been read already: what React would write there is nothing.
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? written(client) : "" }}
    />
  );
}

/** Puts the document's answers where the components look for them. */
export function plantAnswers(client: QueryClient): void {
  const text = document.getElementById(ID)?.textContent;
  for (const [address, answer] of JSON.parse(text || "[]") as Seeds) {
    client.setQueryData([address], answer);
  }
}

/**
 * Without the pixels that pictures are blurred from until they are loaded: they stand in the document
 * already, and React leaves a style as it finds it. No `<` is left in it that could end the element.
 */
function written(client: QueryClient): string {
  const seeds = client
    .getQueryCache()
    .getAll()
    .flatMap(({ queryKey, state }) =>
      state.data === undefined ? [] : [[String(queryKey[0]), state.data] as const],
    );
  return JSON.stringify(seeds, (key, value) =>
    key === "placeholder" ? undefined : value,
  ).replaceAll("<", "\\u003c");
}
