import type { QueryClient } from "@tanstack/react-query";
import type { Locale } from "#app/lib/i18n/locale.ts";
import { propertyQuery } from "./queries.ts";

/** Asks for a home that the visitor seems to be about to open. */
export function readAhead(client: QueryClient, locale: Locale, reference: string): void {
  client
    .query({ ...propertyQuery(locale, reference), staleTime: "static" })
    // The page itself asks again and says what is wrong.
    .catch(() => undefined);
}
