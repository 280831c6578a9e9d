import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import type { Answer } from "#app/lib/api/answer.ts";

const ID = "answers";

type Seeds = readonly (readonly [address: string, answer: Answer<unknown>])[];

/**
 * Embeds the answers that the server rendered from as JSON in the document; the browser reads them with
 * `seedQueryClient`. No script runs here, so the content security policy needs no exception.
 */
export function SeedAnswers() {
  const client = useQueryClient();
  return (
    <script
      id={ID}
      type="application/json"
      // In the browser it has been read already, so React renders nothing.
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? serialized(client) : "" }}
    />
  );
}

/** Copies the document's answers to the query client. */
export function seedQueryClient(client: QueryClient): void {
  const text = document.getElementById(ID)?.textContent;
  for (const [address, answer] of JSON.parse(text || "[]") as Seeds) {
    client.setQueryData([address], answer);
  }
}

/**
 * Serializes the answers without the placeholder pixels of pictures: they are in the document already, and
 * React leaves a style as it finds it. No `<` is left that could end the element.
 */
function serialized(client: QueryClient): string {
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
