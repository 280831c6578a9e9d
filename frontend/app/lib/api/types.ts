import type { components, paths } from "./schema.gen.ts";

/** The API paths that are read with GET. */
export type ApiPath = keyof paths;

type Get<Path extends ApiPath> = paths[Path] extends { get: infer Operation } ? Operation : never;

type Parameters<Path extends ApiPath, Where extends string> =
  Get<Path> extends { parameters: { [Key in Where]?: infer Values } } ? Values : undefined;

/** The parameters of a call. */
export interface ApiParameters<Path extends ApiPath> {
  path?: NonNullable<Parameters<Path, "path">>;
  query?: NonNullable<Parameters<Path, "query">>;
}

/** The response body of a call. Lists of homes have complete items, unless `fields` asks for cards. */
export type ApiBody<Path extends ApiPath> = Path extends "/api/properties"
  ? PropertyList
  : Get<Path> extends { responses: { 200: { content: { "application/json": infer Body } } } }
    ? Body
    : never;

export type PropertyList = components["schemas"]["PropertyList"];
export type PropertyItem = PropertyList["items"][number];
export type PropertyCardList = components["schemas"]["CardList"];
export type PropertyCard = PropertyCardList["items"][number];
export type PropertyDetail = Omit<
  ApiBody<"/api/properties/{ref}">,
  "url" | "featured" | "sequence"
> & {
  /** The number of oldest offers that were dropped from its history. */
  readonly earlierOffers?: number;
  /** When it came back on sale after having been reserved or sold. */
  readonly forSaleAgainSince?: string | undefined;
};
export type HistoryEntry = PropertyDetail["history"][number];
export type ComparableHomes = NonNullable<ApiBody<"/api/properties/{ref}/comparable">["homes"]>;
export type EnergyLabel = NonNullable<PropertyDetail["energy"]>;
export type EnergyRating = EnergyLabel["rating"];
export type EnergyLetter = components["schemas"]["EnergyLetter"];
export type EnergyExemption = NonNullable<EnergyLabel["exemption"]>;
export type Particulars = NonNullable<PropertyDetail["particulars"]>;
export type Orientation = NonNullable<Particulars["orientation"]>;
export type BeachSlope = NonNullable<NonNullable<Particulars["beachWalk"]>["slope"]>;
export type RoomKind = NonNullable<Particulars["rooms"]>[number]["kind"];
export type Embed = NonNullable<Particulars["video"]>;
export type ContentPage = ApiBody<"/api/pages/{slug}">;
export type Heading = ContentPage["headings"][number];
export type Article = ApiBody<"/api/articles/{slug}">;
export type TeamMember = ApiBody<"/api/team">["items"][number];
export type WithdrawnProperty =
  paths["/api/properties/{ref}"]["get"]["responses"][410]["content"]["application/problem+json"];
export type ListingStatus = PropertyItem["status"];
export type PropertyType = PropertyItem["propertyType"];
export type PropertyKind = PropertyItem["kind"];
export type Picture = PropertyItem["images"][number];
export type LocationList = ApiBody<"/api/locations">;
export type Place = LocationList["items"][number];
export type PlaceText = ApiBody<"/api/locations/{slug}">;
export type PlacePrices = NonNullable<PlaceText["prices"]>;
export type Site = Omit<ApiBody<"/api/site">, "sequence">;
export type SiteSettings = NonNullable<Site["settings"]>;
export type NavigationItem = Site["navigation"]["header"][number];
