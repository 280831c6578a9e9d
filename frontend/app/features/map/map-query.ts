import type { ApiBody } from "#app/lib/api/types.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";
import { type Bounds, boundsOf } from "#app/lib/map/projection.ts";
import { type ApiQuery, apiQuery } from "#app/lib/query/api-query.ts";
import { parseBbox } from "#app/lib/search/search-area.ts";
import { apiFilters, type Search } from "#app/lib/search/search-params.ts";
import { areaBounds, phoneZoom, START } from "./bounds.ts";

/** The pins and clusters, and the number of homes with and without a position. */
export type PropertyMap = ApiBody<"/api/properties/map">;
/** Homes so close together that the map shows them as one marker. */
export type Cluster = PropertyMap["clusters"][number];
/** The marker of a single home. */
export type Pin = PropertyMap["pins"][number];

/** The query for the homes of a search, clustered for a zoom. */
export function mapQuery(locale: Locale, search: Search, zoom: number): ApiQuery<PropertyMap> {
  return apiQuery("/api/properties/map", { query: { ...apiFilters(search, locale), zoom } });
}

/** The same query for the map in the HTML, whose size is not known yet. */
export function drawnMapQuery(locale: Locale, search: Search): ApiQuery<PropertyMap> {
  return mapQuery(locale, search, Math.round(phoneZoom(addressBounds(search) ?? START)));
}

/** Returns the bounds that the address states. */
export function addressBounds({ bbox, area }: Search): Bounds | undefined {
  return parseBbox(bbox) ?? areaBounds(area);
}

/** Returns the bounds of all homes, or undefined if none has a position. */
export function homesBounds({ clusters, pins }: PropertyMap): Bounds | undefined {
  const corners = clusters.flatMap(({ bounds: { west, south, east, north } }) => [
    { lat: south, lng: west },
    { lat: north, lng: east },
  ]);
  return boundsOf([...corners, ...pins]);
}
