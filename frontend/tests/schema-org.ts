/**
 * The schema.org types that our pages use: each with its supertype, and those of its own properties that
 * are used.
 */
const TYPES: Record<string, readonly [above: string | undefined, names: string]> = {
  Thing: [undefined, "name description url image identifier mainEntityOfPage potentialAction"],
  CreativeWork: [
    "Thing",
    "about author publisher headline inLanguage datePublished dateModified offers text mainEntity",
  ],
  Article: ["CreativeWork", ""],
  Comment: ["CreativeWork", ""],
  Answer: ["Comment", ""],
  Question: ["Comment", "acceptedAnswer"],
  WebSite: ["CreativeWork", ""],
  WebPage: ["CreativeWork", ""],
  FAQPage: ["WebPage", ""],
  RealEstateListing: ["WebPage", "datePosted"],
  Place: ["Thing", "address geo telephone"],
  Accommodation: ["Place", "numberOfBedrooms numberOfBathroomsTotal yearBuilt floorSize"],
  House: ["Accommodation", ""],
  Apartment: ["Accommodation", ""],
  Organization: ["Thing", "legalName telephone email address"],
  LocalBusiness: ["Organization", "geo"],
  RealEstateAgent: ["LocalBusiness", ""],
  Intangible: ["Thing", ""],
  Offer: ["Intangible", "price priceCurrency availability seller"],
  ItemList: ["Intangible", "itemListElement"],
  BreadcrumbList: ["ItemList", ""],
  ListItem: ["Intangible", "item position"],
  EntryPoint: ["Intangible", "urlTemplate"],
  QuantitativeValue: ["Intangible", "value unitCode"],
  PostalAddress: [
    "Intangible",
    "streetAddress postalCode addressLocality addressRegion addressCountry",
  ],
  GeoCoordinates: ["Intangible", "latitude longitude"],
  Action: ["Thing", "target query-input"],
  SearchAction: ["Action", ""],
};

/** Returns the types and properties in `thing`, at any depth, that schema.org does not define there. */
export function unknownToSchemaOrg(thing: unknown): string[] {
  if (Array.isArray(thing)) return thing.flatMap(unknownToSchemaOrg);
  if (typeof thing !== "object" || thing === null) return [];
  const { "@type": type, "@context": _, "@graph": graph, ...rest } = thing as Json;
  if (graph) return unknownToSchemaOrg(graph);
  const known = namesOf(String(type));
  const unknown = Object.keys(rest).filter((name) => !known.includes(name));
  return [
    ...unknown.map((name) => `${type}.${name}`),
    ...Object.values(rest).flatMap(unknownToSchemaOrg),
  ];
}

type Json = Record<string, unknown>;

function namesOf(type: string): string[] {
  const [above, names] = TYPES[type] ?? [];
  return [...(names?.split(" ") ?? []), ...(above ? namesOf(above) : [])];
}
