import type { FormEvent } from "react";
import { useNavigate } from "react-router";
import { localizedPath, useLocale } from "#app/lib/i18n/locale.ts";
import { parseSearch, type Search, searchPath } from "#app/lib/search/search-params.ts";

/** What a search form's fields say. */
export function fieldsIn(form: HTMLFormElement): URLSearchParams {
  const params = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (typeof value === "string") params.append(name, value);
  }
  return params;
}

/** Steps to a search's one address. Within the list, whoever reads stays where they are on the page. */
export function useSearchStep(): (search: Search, stay?: boolean) => void {
  const navigate = useNavigate();
  const locale = useLocale();
  return (search, stay = false) => {
    navigate(localizedPath(locale, searchPath(search)), { preventScrollReset: stay });
  };
}

/**
 * Sends a search form as a step inside the page, to the tidy address at once. Without the script
 * the browser sends the form, and the server leads it to the same address.
 */
export function useSearchSubmit(): (event: FormEvent<HTMLFormElement>) => void {
  const step = useSearchStep();
  return (event) => {
    event.preventDefault();
    step(parseSearch(fieldsIn(event.currentTarget)));
  };
}
