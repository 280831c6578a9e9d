import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import type { Answer } from "#app/lib/api/answer.ts";
import type { ApiBody, PropertyCard } from "#app/lib/api/types.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { apiQuery } from "#app/lib/query/api-query.ts";
import { takeOver } from "./take-over.ts";
import { useTellSignedOut } from "./use-change-home.ts";

/** The most homes that the API tells of at once. */
const AT_ONCE = 50;

/** What is known of the homes that were asked for. */
export interface FoundCards {
  readonly cards: ReadonlyMap<string, PropertyCard>;
  /** Those that are not for sale any more. */
  readonly gone: ReadonlySet<string>;
  /** What they are called now, by what they were called before. */
  readonly moved: Moved;
  readonly isPending: boolean;
  readonly isFailed: boolean;
}

type Moved = Readonly<Record<string, string>>;
type ChosenCards = ApiBody<"/api/cards">;

/**
 * The cards of `references`, however many they are, as they are now. What was made of a home whose
 * reference is another now is kept under that from then on.
 */
export function useCards(references: readonly string[]): FoundCards {
  const locale = useLocale();
  const client = useQueryClient();
  const asked = useAsked(references);
  const { data, isLoading, isError } = useQuery({
    queryKey: ["cards", locale, ...asked],
    queryFn: async () => {
      const questions = inBatches(asked).map((reference) =>
        apiQuery("/api/cards", { query: { locale, reference } }),
      );
      return together(await Promise.all(questions.map((question) => client.query(question))));
    },
    enabled: asked.length > 0,
    placeholderData: keepPreviousData,
  });
  const moved = data?.body.moved;
  const tellSignedOut = useEffectEvent(useTellSignedOut());
  useEffect(() => {
    if (moved) void takeOver(moved).then((isSignedOut) => isSignedOut && tellSignedOut());
  }, [moved]);
  return {
    cards: byReference(data?.body.items, moved),
    gone: new Set(data?.body.gone),
    moved: moved ?? {},
    isPending: isLoading,
    isFailed: isError && !data,
  };
}

/** `homes` without those that are among them by what they are called now too, unless they are `kept`. */
export function once<Home extends { reference: string }>(
  homes: readonly Home[],
  moved: Moved,
  kept: (home: Home) => boolean = () => false,
): readonly Home[] {
  const references = new Set(homes.map(({ reference }) => reference));
  return homes.filter((home) => !references.has(moved[home.reference] ?? "") || kept(home));
}

/** Cards by the references that their homes have, and by those that they had. */
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

/** What was asked for stays asked: another home changes the last of the questions alone. */
function useAsked(references: readonly string[]): readonly string[] {
  const [asked, setAsked] = useState<readonly string[]>([]);
  const known = new Set(asked);
  const added = references.filter((reference) => !known.has(reference));
  // One question has one address, however the homes are ordered.
  if (added.length > 0) setAsked([...asked, ...added.sort()]);
  return asked;
}

function inBatches(references: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(references.length / AT_ONCE) }, (_, index) =>
    references.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
  );
}

/** As one answer: as old as the oldest, and made old by what makes any of them so. */
function together(answers: readonly Answer<ChosenCards>[]): Answer<ChosenCards> {
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
