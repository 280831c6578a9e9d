import type { Location } from "react-router";
import { listAt } from "./list-path.ts";
import { parseSearch, type Search } from "./search-params.ts";

interface RouterState {
  readonly location: Location;
  readonly navigation: { readonly location?: Location | undefined };
}

/**
 * Returns the location that the router is navigating to, or has reached without having rendered it: a busy
 * page, such as one with a map that moves, renders the router's state late. `key` is the key of the rendered
 * location.
 */
export function pendingLocation(
  { location, navigation }: RouterState,
  key: string,
): Location | undefined {
  return navigation.location ?? (location.key === key ? undefined : location);
}

/** Returns the search of an address, or undefined if it is not a list. */
export function parseAddress(address: { pathname: string; search: string }): Search | undefined {
  const list = listAt(address.pathname);
  return list && parseSearch(new URLSearchParams(address.search), list.place);
}
