import { listAt } from "#app/lib/search/list-path.ts";
import { LISTS, parseSearch, searchPath } from "#app/lib/search/search-params.ts";

/**
 * Returns the address of a suggested search combined with the other fields of the form. Places, types and
 * features are added to those of the form; a parameter with a single value, such as the highest price,
 * takes the suggestion's. Returns undefined if the suggestion is the page of a home and no search.
 */
export function addToSearch(form: URLSearchParams, url: string): string | undefined {
  const { pathname, searchParams } = new URL(url, "http://here");
  const list = listAt(pathname);
  if (!list) return undefined;
  const chosen = new URLSearchParams(form);
  // The text was only typed to find the suggestion, and the new list starts on its first page.
  for (const name of ["q", "page"]) chosen.delete(name);
  if (list.place) chosen.append("location", list.place);
  for (const name of new Set(searchParams.keys())) {
    if (REPEATABLE.has(name)) {
      for (const value of searchParams.getAll(name)) chosen.append(name, value);
    } else chosen.set(name, searchParams.get(name) ?? "");
  }
  return searchPath(parseSearch(chosen));
}

const REPEATABLE = new Set<string>(LISTS);
