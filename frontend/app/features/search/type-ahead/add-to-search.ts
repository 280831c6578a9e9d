import { listAt } from "#app/lib/search/list-path.ts";
import { LISTS, parseSearch, searchPath } from "#app/lib/search/search-params.ts";

/**
 * Where a suggestion leads from a form in which more is chosen already: the suggested search beside
 * the form's other fields. Several places, types and features stand side by side; of what there is
 * only one of, such as the highest price, the suggestion's counts. Undefined where the suggestion is
 * no search but one home's page.
 */
export function addToSearch(form: URLSearchParams, url: string): string | undefined {
  const { pathname, searchParams } = new URL(url, "http://here");
  const list = listAt(pathname);
  if (!list) return undefined;
  const chosen = new URLSearchParams(form);
  // The words were only the way to the suggestion; its homes begin on their first page.
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
