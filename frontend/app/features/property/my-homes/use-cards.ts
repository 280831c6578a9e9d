import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import type { Answer } from "#app/lib/api/answer.ts";
import type { ApiBody, PropertyCard } from "#app/lib/api/types.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { apiQuery } from "#app/lib/query/api-query.ts";
import { moveToNewReferences } from "./move-references.ts";
import { useSignedOutToast } from "./use-change-home.ts";

/** The maximum number of homes in one API request. */
const MAX_BATCH = 50;

/** The result for the requested homes. */
export interface FoundCards {
  readonly cards: ReadonlyMap<string, PropertyCard>;
  /** The references of homes that are not for sale any more. */
  readonly gone: ReadonlySet<string>;
  /** The current reference by former reference. */
  readonly moved: Moved;
  readonly isPending: boolean;
  readonly isFailed: boolean;
}

type Moved = Readonly<Record<string, string>>;
type ChosenCards = ApiBody<"/api/cards">;

/**
 * Returns the current cards of `references`, in any number. If a home has a new reference, what the visitor
 * stored about it is moved to that reference.
 */
export function useCards(references: readonly string[]): FoundCards {
  const locale = useLocale();
  const client = useQueryClient();
  const requested = useStableReferences(references);
  const { data, isLoading, isError } = useQuery({
    queryKey: ["cards", locale, ...requested],
    queryFn: async () => {
      const queries = inBatches(requested).map((reference) =>
        apiQuery("/api/cards", { query: { locale, reference } }),
      );
      return mergeAnswers(await Promise.all(queries.map((query) => client.query(query))));
    },
    enabled: requested.length > 0,
    placeholderData: keepPreviousData,
  });
  const moved = data?.body.moved;
  const showSignedOut = useEffectEvent(useSignedOutToast());
  useEffect(() => {
    if (moved)
      void moveToNewReferences(moved).then((isSignedOut) => isSignedOut && showSignedOut());
  }, [moved]);
  return {
    cards: byReference(data?.body.items, moved),
    gone: new Set(data?.body.gone),
    moved: moved ?? {},
    isPending: isLoading,
    isFailed: isError && !data,
  };
}

/** Returns `homes` without those that are also listed under their current reference, unless `isRetained`. */
export function withoutDuplicates<Home extends { reference: string }>(
  homes: readonly Home[],
  moved: Moved,
  isRetained: (home: Home) => boolean = () => false,
): readonly Home[] {
  const references = new Set(homes.map(({ reference }) => reference));
  return homes.filter((home) => !references.has(moved[home.reference] ?? "") || isRetained(home));
}

/** Returns the cards by current reference, and by former ones. */
export function byReference(
  items: readonly PropertyCard[] = [],
  moved: Moved = {},
): ReadonlyMap<string, PropertyCard> {
  const cards = new Map(items.map((card) => [card.ref, card]));
  for (const [former, now] of Object.entries(moved)) {
    const card = cards.get(now);
    if (card) cards.set(former, card);
  }
  return cards;
}

/** Returns the references in a stable order, in which new ones are appended: they change only the last batch. */
function useStableReferences(references: readonly string[]): readonly string[] {
  const [requested, setRequested] = useState<readonly string[]>([]);
  const known = new Set(requested);
  const added = references.filter((reference) => !known.has(reference));
  // Sorted, so that a batch has the same URL whatever the order of the homes.
  if (added.length > 0) setRequested([...requested, ...added.sort()]);
  return requested;
}

function inBatches(references: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(references.length / MAX_BATCH) }, (_, index) =>
    references.slice(index * MAX_BATCH, (index + 1) * MAX_BATCH),
  );
}

/** Merges answers into one, with the oldest sequence and all tags, so that it expires with any of them. */
function mergeAnswers(answers: readonly Answer<ChosenCards>[]): Answer<ChosenCards> {
  return {
    body: {
      items: answers.flatMap(({ body }) => body.items),
      gone: answers.flatMap(({ body }) => body.gone),
      moved: Object.assign({}, ...answers.map(({ body }) => body.moved)),
    },
    sequence: Math.min(...answers.map(({ sequence }) => sequence)),
    tags: [...new Set(answers.flatMap(({ tags }) => tags))],
  };
}
