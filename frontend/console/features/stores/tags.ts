import { MAX_AT_ONCE } from "#console/lib/api/queries.ts";

/** The tags that somebody has typed, each once: one a line, or with commas between them. */
export function parseTags(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter((tag) => tag !== ""))];
}

export function areTags(tags: readonly string[]): boolean {
  return tags.length > 0 && tags.length <= MAX_AT_ONCE;
}
