import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { useLocale } from "#app/lib/i18n/locale.ts";
import type { RecentSearch } from "./recent-searches.ts";
import { askedText, MIN_LETTERS, type Suggestions, suggestionsQuery } from "./suggestions.ts";

/** How long the typing has to rest before the API is asked. */
const DEBOUNCE_MS = 200;

type Item = Suggestions["items"][number];

/** One line of the list: of a recent search nothing is known but where it leads. */
export type Suggestion = Pick<Item, "kind" | "label" | "url"> & Partial<Item>;

interface Options {
  options: readonly Suggestion[];
  /** Of what kind the options are or would be; neither while too little is typed, or nothing is known. */
  kind: "recent" | "suggested" | undefined;
  /** Whether they are those of the text as it stands. */
  settled: boolean;
}

const NONE: readonly Suggestion[] = [];

/**
 * What can be chosen for a text: recent searches for none, and what the API suggests for some. The
 * last suggestions stay until newer ones are here; a question that is overtaken is called off.
 */
export function useOptions(
  text: string,
  recent: readonly RecentSearch[],
  wanted: boolean,
): Options {
  const locale = useLocale();
  const typed = askedText(text);
  const asked = useRested(typed);
  const enough = asked.length >= MIN_LETTERS;
  const { data, isFetching } = useQuery({
    ...suggestionsQuery(locale, asked),
    enabled: wanted && enough,
    placeholderData: keepPreviousData,
    // The next letter asks again.
    retry: false,
  });
  const before = useMemo(
    () => recent.map((search): Suggestion => ({ ...search, kind: "recent" })),
    [recent],
  );
  if (typed === "") return { options: before, kind: "recent", settled: true };
  if (typed.length < MIN_LETTERS) return { options: NONE, kind: undefined, settled: true };
  const settled = typed === asked && !isFetching;
  // Of what could not be asked nothing is said.
  if (!data) return { options: NONE, kind: undefined, settled };
  return { options: data.body.items, kind: "suggested", settled };
}

/** The value that has stood for a while. */
function useRested(value: string): string {
  const [rested, rest] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => rest(value), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}
