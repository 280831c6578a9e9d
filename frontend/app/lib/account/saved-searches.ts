import {
  parseSearch,
  type Search,
  searchFields,
  searchPath,
} from "#app/lib/search/search-params.ts";

/** How often a visitor is notified of new results of a saved search, by the write side's names. */
export const FREQUENCIES = ["at_once", "daily", "weekly", "never"] as const;

export type Frequency = (typeof FREQUENCIES)[number];

/** Parameters that change how a list is shown, but not what it finds. */
const NOT_SAVED = ["sort", "page", "view"];

/** Returns the query string under which a search is saved. */
export function savedAddress(search: Search): string {
  const fields = searchFields(search);
  for (const name of NOT_SAVED) fields.delete(name);
  return String(fields);
}

/** Returns the path of the page for saving `search`. */
export function saveSearchPath(search: Search): string {
  const address = savedAddress(search);
  return address ? `/save-search?${address}` : "/save-search";
}

/** Returns the path of the list that was saved as `address`; the path of the favourites if there is none. */
export function savedPath(address: string | null | undefined): string {
  return address == null ? "/account" : searchPath(parseSearch(new URLSearchParams(address)));
}
