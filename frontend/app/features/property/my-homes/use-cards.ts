import { useQuery } from "@tanstack/react-query";
import type { PropertyCard } from "#app/lib/api/types.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { apiQuery } from "#app/lib/query/api-query.ts";

/** The most homes that the API tells of at once. */
const AT_ONCE = 50;
/** The most that a page shows. */
export const MOST_SHOWN = 2 * AT_ONCE;

/** What is known of the homes that were asked for. */
export interface FoundCards {
  readonly cards: ReadonlyMap<string, PropertyCard>;
  /** Those that are not for sale any more. */
  readonly gone: ReadonlySet<string>;
  readonly isPending: boolean;
  readonly isFailed: boolean;
}

/** The cards of `references`, of which there are at most `MOST_SHOWN`, as they are now. */
export function useCards(references: readonly string[]): FoundCards {
  // One question has one address, however the homes are ordered.
  const names = [...references].sort();
  const parts = [useSome(names.slice(0, AT_ONCE)), useSome(names.slice(AT_ONCE, MOST_SHOWN))];
  const answers = parts.flatMap(({ data }) => data?.body ?? []);
  return {
    cards: new Map(answers.flatMap(({ items }) => items.map((card) => [card.ref, card]))),
    gone: new Set(answers.flatMap(({ gone }) => gone)),
    isPending: parts.some(({ isLoading }) => isLoading),
    isFailed: parts.some(({ isError, data }) => isError && !data),
  };
}

function useSome(reference: string[]) {
  const locale = useLocale();
  return useQuery({
    ...apiQuery("/api/cards", { query: { locale, reference } }),
    enabled: reference.length > 0,
  });
}
