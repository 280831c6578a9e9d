import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { useLocale } from "#app/lib/i18n/locale.ts";
import type { RecentSearch } from "./recent-searches.ts";
import { MIN_LETTERS, normalizedText, type Suggestions, suggestionsQuery } from "./suggestions.ts";

/** The pause in typing after which the API is requested. */
const DEBOUNCE_MS = 200;

type Item = Suggestions["items"][number];

/** An entry of the list. A recent search has only a label and an address. */
export type Suggestion = Pick<Item, "kind" | "label" | "url"> & Partial<Item>;

interface Options {
  options: readonly Suggestion[];
  /**
   * The kind of the options, even if there are none. Undefined if the text is too short or nothing has been
   * loaded.
   */
  kind: "recent" | "suggested" | undefined;
  /** Whether the options belong to the current text. */
  settled: boolean;
}

const NONE: readonly Suggestion[] = [];

/**
 * Returns the options for a text: recent searches if it is empty, otherwise suggestions of the API. The
 * previous suggestions stay until newer ones arrive. A request that is superseded is cancelled.
 */
export function useOptions(
  text: string,
  recent: readonly RecentSearch[],
  enabled: boolean,
): Options {
  const locale = useLocale();
  const typed = normalizedText(text);
  const requested = useDebounced(typed);
  const isLongEnough = requested.length >= MIN_LETTERS;
  const { data, isFetching } = useQuery({
    ...suggestionsQuery(locale, requested),
    enabled: enabled && isLongEnough,
    placeholderData: keepPreviousData,
    // The next letter makes a new request.
    retry: false,
  });
  const recentOptions = useMemo(
    () => recent.map((search): Suggestion => ({ ...search, kind: "recent" })),
    [recent],
  );
  if (typed === "") return { options: recentOptions, kind: "recent", settled: true };
  if (typed.length < MIN_LETTERS) return { options: NONE, kind: undefined, settled: true };
  const settled = typed === requested && !isFetching;
  // A failed request must not look like an empty result.
  if (!data) return { options: NONE, kind: undefined, settled };
  return { options: data.body.items, kind: "suggested", settled };
}

/** Returns the value after it has not changed for `DEBOUNCE_MS`. */
function useDebounced(value: string): string {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return debounced;
}
