import type { FormEvent } from "react";
import { useNavigate } from "react-router";
import { localizedPath, useLocale } from "#app/lib/i18n/locale.ts";
import { parseSearch, type Search, searchPath } from "#app/lib/search/search-params.ts";

/** Returns the values of a search form's fields. */
export function searchParamsOf(form: HTMLFormElement): URLSearchParams {
  const params = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (typeof value === "string") params.append(name, value);
  }
  return params;
}

/** Navigates to the canonical address of a search. With `stay`, the page keeps its scroll position. */
export function useNavigateToSearch(): (search: Search, stay?: boolean) => void {
  const navigate = useNavigate();
  const locale = useLocale();
  return (search, stay = false) => {
    navigate(localizedPath(locale, searchPath(search)), { preventScrollReset: stay });
  };
}

/**
 * Submits a search form by a client-side navigation, straight to the canonical address. Without a script the
 * browser submits the form, and the server redirects to the same address.
 */
export function useSearchSubmit(): (event: FormEvent<HTMLFormElement>) => void {
  const navigateTo = useNavigateToSearch();
  return (event) => {
    event.preventDefault();
    navigateTo(parseSearch(searchParamsOf(event.currentTarget)));
  };
}
