import type { QueryClient } from "@tanstack/react-query";
import type { ApiBody, PropertyDetail } from "#app/lib/api/types.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";
import { type ApiQuery, apiQuery } from "#app/lib/query/api-query.ts";

/** All of one property. */
export function propertyQuery(locale: Locale, reference: string): ApiQuery<PropertyDetail> {
  return apiQuery("/api/properties/{ref}", { path: { ref: reference }, query: { locale } });
}

/** Asks for a home that the visitor seems to be about to open. */
export function readAhead(client: QueryClient, locale: Locale, reference: string): void {
  client
    .query({ ...propertyQuery(locale, reference), staleTime: "static" })
    // The page itself asks again and says what is wrong.
    .catch(() => undefined);
}

/** What the calculators work with, of all that the editors keep. */
const GROUPS = ["purchase_taxes", "notary_scale", "registry_scale", "lawyer", "mortgage"];

/** Taxes, fees and rates, as the editors keep them. */
export function figuresQuery(locale: Locale): ApiQuery<ApiBody<"/api/figures">> {
  return apiQuery("/api/figures", { query: { locale, group: GROUPS } });
}

/** The address of a property's page, without its language. */
export function propertyPath(property: { ref: string; location: { slug: string } }): string {
  return `/property-for-sale/${property.location.slug}/${property.ref}`;
}
