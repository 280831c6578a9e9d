import type { FormEvent } from "react";
import { useNavigate } from "react-router";
import { localizedPath, useLocale } from "#app/lib/i18n/locale.ts";
import { parseSearch, searchPath } from "./search-params.ts";

/**
 * Sends a search form as a step inside the page, to the tidy address at once. Without the script
 * the browser sends the form, and the server leads it to the same address.
 */
export function useSearchSubmit(): (event: FormEvent<HTMLFormElement>) => void {
  const navigate = useNavigate();
  const locale = useLocale();
  return (event) => {
    event.preventDefault();
    const params = new URLSearchParams();
    for (const [name, value] of new FormData(event.currentTarget)) {
      if (typeof value === "string") params.append(name, value);
    }
    navigate(localizedPath(locale, searchPath(parseSearch(params))));
  };
}
