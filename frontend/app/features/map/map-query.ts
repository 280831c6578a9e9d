import type { ApiBody } from "#app/lib/api/types.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";
import { type Bounds, boundsOf } from "#app/lib/map/projection.ts";
import { type ApiQuery, apiQuery } from "#app/lib/query/api-query.ts";
import { readBbox } from "#app/lib/search/search-area.ts";
import { apiFilters, type Search } from "#app/lib/search/search-params.ts";
import { areaBounds, phoneZoom, START } from "./bounds.ts";

/** Pins and clusters, and how many homes they and others are. */
export type PropertyMap = ApiBody<"/api/properties/map">;
/** Homes so close together that the map shows them as one. */
export type Cluster = PropertyMap["clusters"][number];
/** A home by itself. */
export type Pin = PropertyMap["pins"][number];

/** What the map shows of a search, gathered as fits a zoom. */
export function mapQuery(locale: Locale, search: Search, zoom: number): ApiQuery<PropertyMap> {
  return apiQuery("/api/properties/map", { query: { ...apiFilters(search, locale), zoom } });
}

/** The same for the drawn map, which is there before anything knows how large it is. */
export function drawnMapQuery(locale: Locale, search: Search): ApiQuery<PropertyMap> {
  return mapQuery(locale, search, Math.round(phoneZoom(addressBounds(search) ?? START)));
}

/** The stretch that the address itself says. */
export function addressBounds({ bbox, area }: Search): Bounds | undefined {
  return readBbox(bbox) ?? areaBounds(area);
}

/** The stretch in which all of the homes lie; nothing where none has a place. */
export function homesBounds({ clusters, pins }: PropertyMap): Bounds | undefined {
  const corners = clusters.flatMap(({ bounds: { west, south, east, north } }) => [
    { lat: south, lng: west },
    { lat: north, lng: east },
  ]);
  return boundsOf([...corners, ...pins]);
}
