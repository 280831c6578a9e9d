import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { PropertyCard, PropertyCardList } from "#app/lib/api/types.ts";
import { type ApiQuery, cardsQuery } from "#app/lib/query/api-query.ts";
import type { FoundIn } from "./found-in.ts";

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
  const before = useHomeAt(foundIn, position - 1);
  const after = useHomeAt(foundIn, position + 1);
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

/** The API's default page size, which the list uses. */
const PER_PAGE = 24;

/** Returns the home at a position of a search, and the total. Positions below 1 are not queried. */
function useHomeAt(foundIn: FoundIn, position: number): FoundHome {
  const { data } = useQuery({
    ...pageQuery(foundIn, position),
    enabled: position > 0,
    // Its price is not on the page, so changes of it are not announced to screen readers.
    meta: { unseen: true },
  });
  return { home: data?.body.items[(position - 1) % PER_PAGE], total: data?.body.total };
}

/** Returns the query of the list page with that position. A visitor who comes from there has it cached. */
function pageQuery({ search }: FoundIn, position: number): ApiQuery<PropertyCardList> {
  const { page: _, ...parameters } = search ?? {};
  const page = Math.ceil(position / PER_PAGE);
  return cardsQuery({ ...parameters, ...(page > 1 && { page }) });
}
