import {
  parseSearch,
  type Search,
  searchFields,
  searchPath,
} from "#app/lib/search/search-params.ts";

/** How often somebody hears of what a search finds, as the write side calls it. */
export const FREQUENCIES = ["at_once", "daily", "weekly", "never"] as const;

export type Frequency = (typeof FREQUENCIES)[number];

/** The longest name of one, in characters. */
export const MAX_NAME_LENGTH = 120;

/** How a list is shown says nothing of what it finds. */
const NOT_SAVED = ["sort", "page", "view"];

/** The query part that a search is saved by. */
export function savedAddress(search: Search): string {
  const fields = searchFields(search);
  for (const name of NOT_SAVED) fields.delete(name);
  return String(fields);
}

/** The page where `search` is saved. */
export function saveSearchPath(search: Search): string {
  const address = savedAddress(search);
  return address ? `/save-search?${address}` : "/save-search";
}

/** The list that was saved as `address`; the favourites where there is none. */
export function savedPath(address: string | null | undefined): string {
  return address == null ? "/account" : searchPath(parseSearch(new URLSearchParams(address)));
}
