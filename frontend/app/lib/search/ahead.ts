import type { Location } from "react-router";
import { listAt } from "./list-path.ts";
import { parseSearch, type Search } from "./search-params.ts";

interface RouterState {
  readonly location: Location;
  readonly navigation: { readonly location?: Location | undefined };
}

/**
 * Where the router is on its way to, or has come to without its page: a page that is busy, as with a map
 * that moves, draws what the router says of it only later. `key` is that of the page that is drawn.
 */
export function addressAhead(
  { location, navigation }: RouterState,
  key: string,
): Location | undefined {
  return navigation.location ?? (location.key === key ? undefined : location);
}

/** The search of an address; nothing where it is no list's. */
export function searchAt(address: { pathname: string; search: string }): Search | undefined {
  const list = listAt(address.pathname);
  return list && parseSearch(new URLSearchParams(address.search), list.place);
}
