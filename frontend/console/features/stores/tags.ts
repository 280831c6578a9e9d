import { MAX_AT_ONCE } from "#console/lib/api/queries.ts";

/** Returns the distinct tags of a text, separated by line breaks, spaces or commas. */
export function parseTags(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter((tag) => tag !== ""))];
}

export function areTags(tags: readonly string[]): boolean {
  return tags.length > 0 && tags.length <= MAX_AT_ONCE;
}
