import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { PropertyCard, PropertyCardList } from "#app/lib/api/types.ts";
import { type ApiQuery, cardsQuery } from "#app/lib/query/api-query.ts";
import type { FoundIn } from "./found-in.ts";

interface Neighbours {
  /** Where the home stands in the search now. */
  position: number;
  total: number | undefined;
  previous: PropertyCard | undefined;
  next: PropertyCard | undefined;
}

interface Found {
  home: PropertyCard | undefined;
  total: number | undefined;
}

/** A search that changes under the visitor is followed so far. */
const MAX_CORRECTIONS = 3;

/**
 * The homes before and after `reference` in the search that it was found in. Homes that came or went
 * since move it: one that is its own neighbour stands a place further on or back.
 */
export function useNeighbours(reference: string, foundIn: FoundIn): Neighbours {
  const [moved, setMoved] = useState({ reference, by: 0, times: 0 });
  const here = moved.reference === reference ? moved : { reference, by: 0, times: 0 };
  const position = foundIn.position + here.by;
  const before = useHomeAt(foundIn, position - 1);
  const after = useHomeAt(foundIn, position + 1);
  const [previous, next] = [before.home, after.home];
  const isItself = (home: PropertyCard | undefined) => home?.ref === reference;
  if (here.times < MAX_CORRECTIONS && (isItself(previous) || isItself(next))) {
    setMoved({ reference, by: here.by + (isItself(previous) ? -1 : 1), times: here.times + 1 });
  }
  return {
    position,
    total: after.total ?? before.total,
    previous: isItself(previous) ? undefined : previous,
    next: isItself(next) ? undefined : next,
  };
}

/** How many homes the API gives at once where it is not told, as the list does not tell it. */
const PER_PAGE = 24;

/** The home at a position of a search, of as many as there are; nothing is asked before the first. */
function useHomeAt(foundIn: FoundIn, position: number): Found {
  const { data } = useQuery({
    ...pageQuery(foundIn, position),
    enabled: position > 0,
    // Nobody sees its price: what changes of it is not read out.
    meta: { unseen: true },
  });
  return { home: data?.body.items[(position - 1) % PER_PAGE], total: data?.body.total };
}

/** The question of the list's page with that position, which whoever comes from there has asked. */
function pageQuery({ search }: FoundIn, position: number): ApiQuery<PropertyCardList> {
  const { page: _, ...asked } = search ?? {};
  const page = Math.ceil(position / PER_PAGE);
  return cardsQuery({ ...asked, ...(page > 1 && { page }) });
}
