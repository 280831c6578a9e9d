import { useRef } from "react";
import { useLocation } from "react-router";
import type { PropertyCardList } from "#app/lib/api/types.ts";
import { localizedPath, useLocale } from "#app/lib/i18n/locale.ts";
import { useRouter } from "#app/lib/router-internals/use-router.ts";
import { parseAddress, pendingLocation } from "#app/lib/search/pending-location.ts";
import {
  parseSearch,
  type Search,
  searchFields,
  searchPath,
} from "#app/lib/search/search-params.ts";
import {
  type Draft,
  rebaseFields,
  type Submission,
  settleSubmissions,
  withoutSubmitted,
} from "./filter-draft.ts";
import { searchParamsOf, useNavigateToSearch } from "./submit.ts";
import { withUnderstoodFilters } from "./understood.ts";

/**
 * Submits the filter form of the list `shownList`, and remembers the submissions whose lists have not arrived
 * yet: what they changed is neither undone by another submission nor shown as a draft.
 */
export function useSubmissions(search: Search, shownList: PropertyCardList) {
  const locale = useLocale();
  const navigateTo = useNavigateToSearch();
  const router = useRouter();
  const { key, pathname, search: query } = useLocation();
  // The oldest first.
  const pending = useRef<readonly Submission[]>([]);
  const shownWords = useRef(search.q);

  /**
   * Returns the search that the form asks for, and the list that it starts from: the one that is still
   * loading, if any, because a navigation from here cancels it.
   */
  const searchIn = (form: HTMLFormElement) => {
    const own = parseSearch(searchParamsOf(form));
    const fields = searchFields(own);
    const address = router && pendingLocation(router.state, key);
    const coming = address && parseAddress(address);
    if (!coming) return { list: search, chosen: own, fields };
    // The same text is understood in the same way.
    const hasSameText = coming.q === new URLSearchParams(query).get("q");
    const list = hasSameText ? withUnderstoodFilters(coming, shownList) : coming;
    const path = address.pathname + address.search;
    const before =
      pending.current.findLast((each) => each.path === path)?.fields ?? searchFields(search);
    const next = rebaseFields(searchFields(list), before, fields, pending.current.at(-1)?.fields);
    return { list, chosen: { ...parseSearch(next), page: 1 }, fields };
  };

  return {
    searchIn,
    hasPending: () => pending.current.length > 0,

    /**
     * Navigates to the list that the form asks for. Returns false if it is shown already. With `stay`, the
     * page keeps its scroll position.
     */
    send(form: HTMLFormElement, draft: Draft, stay: boolean): boolean {
      const { list, chosen, fields } = searchIn(form);
      // A list that is still loading would arrive and undo the change back to the current search, so submit
      // again then.
      if (isSameList(list, chosen) && pending.current.length === 0) return false;
      const path = localizedPath(locale, searchPath(chosen));
      const words = wordsOf(form).value;
      pending.current = [...pending.current, { path, fields, draft, words }];
      navigateTo(chosen, stay);
      return true;
    },

    /**
     * To be called after a navigation: forgets the submissions that it settles. Returns a function that takes
     * what they submitted out of the draft.
     */
    settle(form: HTMLFormElement | null): (draft: Draft) => Draft {
      const submissions = settleSubmissions(pending.current, pathname + query);
      pending.current = submissions.pending;
      const words = form && wordsOf(form);
      // Text that is being typed stays. Text that was submitted may have become filters.
      const known = [shownWords.current, ...submissions.settled.map((each) => each.words)];
      if (words && [...known, words.defaultValue].includes(words.value)) words.value = search.q;
      shownWords.current = search.q;
      return (draft) => withoutSubmitted(draft, submissions.settled);
    },
  };
}

/** Returns whether `chosen` asks for the first page of `list`. */
export function isSameList(list: Search, chosen: Search): boolean {
  return searchPath(chosen) === searchPath({ ...list, page: 1 });
}

/**
 * Returns the text field. It is no part of the draft: the type-ahead sets its value, and the other fields are
 * not rendered again with each letter that is typed.
 */
function wordsOf(form: HTMLFormElement): HTMLInputElement {
  return form.elements.namedItem("q") as HTMLInputElement;
}
