import type { ApiParameters } from "#app/lib/api/types.ts";
import type { View } from "./search-params.ts";

/** What a link tells the page that it leads to. The router keeps it in the history entry (`location.state`). */
export interface NavigationState {
  /** The index of the filter whose chip was removed. */
  readonly chip?: number;
  /** What was chosen of a list: another page, or a view. */
  readonly chosen?: "page" | View;
  /** The search in which a home was found. */
  readonly foundIn?: FoundIn | undefined;
  /** Whether it comes from the same page in the other language, whose document had a history of its own. */
  readonly isCarried?: boolean;
}

/** The search in which a home was found. */
export interface FoundIn {
  /** The path of the list without its language prefix. */
  list: string;
  /** The search as API parameters. */
  search: ApiParameters<"/api/properties">["query"];
  /** The home's position in all results of the search, starting at 1. */
  position: number;
  /**
   * The number of history steps back to the list; 1 when coming from the list itself, 0 if the list belongs to
   * another document.
   */
  steps?: number;
}
