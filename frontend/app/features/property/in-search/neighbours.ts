import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { PropertyCard, PropertyCardList } from "#app/lib/api/types.ts";
import { type ApiQuery, cardsQuery } from "#app/lib/query/api-query.ts";
import type { FoundIn } from "#app/lib/search/navigation-state.ts";

interface Neighbours {
  /** The current position of the home in the search. */
  position: number;
  total: number | undefined;
  previous: PropertyCard | undefined;
  next: PropertyCard | undefined;
}

interface FoundHome {
  home: PropertyCard | undefined;
  total: number | undefined;
}

/** The homes are not on the page, so changes of their prices are not announced to screen readers. */
const UNSEEN = { unseen: true };

/** How often the position is corrected if the results of the search change meanwhile. */
const MAX_CORRECTIONS = 3;

/**
 * Returns the homes before and after `reference` in the search in which it was found. Homes that were added or
 * removed since shift its position: if the home is its own neighbour, it has moved by one.
 */
export function useNeighbours(reference: string, foundIn: FoundIn): Neighbours {
  const [lastCorrection, setLastCorrection] = useState({ reference, by: 0, times: 0 });
  const correction =
    lastCorrection.reference === reference ? lastCorrection : { reference, by: 0, times: 0 };
  const position = foundIn.position + correction.by;
  // The page that the visitor came from, usually still cached, tells how many homes a page has.
  const { data } = useQuery({ ...cardsQuery(foundIn.search), meta: UNSEEN });
  const perPage = data?.body.perPage;
  const before = useHomeAt(foundIn, position - 1, perPage);
  const after = useHomeAt(foundIn, position + 1, perPage);
  const [previous, next] = [before.home, after.home];
  const isCurrent = (home: PropertyCard | undefined) => home?.ref === reference;
  if (correction.times < MAX_CORRECTIONS && (isCurrent(previous) || isCurrent(next))) {
    setLastCorrection({
      reference,
      by: correction.by + (isCurrent(previous) ? -1 : 1),
      times: correction.times + 1,
    });
  }
  return {
    position,
    total: after.total ?? before.total,
    previous: isCurrent(previous) ? undefined : previous,
    next: isCurrent(next) ? undefined : next,
  };
}

/** Returns the home at a position of a search, and the total. Positions below 1 are not queried. */
function useHomeAt(foundIn: FoundIn, position: number, perPage: number | undefined): FoundHome {
  const isPlace = perPage !== undefined && position > 0;
  const place = isPlace ? position - 1 : 0;
  const page = isPlace ? Math.floor(place / perPage) + 1 : 1;
  const { data } = useQuery({ ...pageQuery(foundIn, page), enabled: isPlace, meta: UNSEEN });
  return {
    home: isPlace ? data?.body.items[place % perPage] : undefined,
    total: data?.body.total,
  };
}

/** Returns the query of a page of the list. A visitor who comes from there has it cached. */
function pageQuery({ search }: FoundIn, page: number): ApiQuery<PropertyCardList> {
  const { page: _, ...parameters } = search ?? {};
  return cardsQuery({ ...parameters, ...(page > 1 && { page }) });
}
