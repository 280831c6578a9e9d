import type { PropertyDetail, SiteSettings } from "#app/lib/api/types.ts";
import { LANGUAGE_TAG, localizedPath } from "#app/lib/i18n/locale.ts";
import { propertyPath } from "#app/lib/property/queries.ts";
import { sharePicture } from "#app/lib/seo/share-picture.ts";
import {
  breadcrumbList,
  estateAgentInShort,
  graph,
  type Standing,
} from "#app/lib/seo/structured-data.ts";
import { placeLabel } from "#app/lib/site/place-label.ts";
import { roughly } from "./facts/roughly.ts";

/** A search engine shows one. */
const MAX_IMAGES = 2;

const ABOUT = { House: "House", Apartment: "Apartment", Commercial: "Place" } as const;

/** What the property is, who sells it and where its page stands, in schema.org's words. */
export function propertyStructuredData(
  property: PropertyDetail,
  settings: SiteSettings,
  crumbs: readonly { label: string; to: string }[],
  standing: Standing,
): Record<string, unknown> {
  if (!import.meta.env.SSR) return graph();
  const { origin, locale } = standing;
  const path = propertyPath(property);
  const url = origin + localizedPath(locale, path);
  const listing = {
    "@type": "RealEstateListing",
    name: property.title,
    description: property.summary,
    inLanguage: LANGUAGE_TAG[property.language],
    url,
    datePosted: property.publishedAt.slice(0, 10),
    dateModified: property.updatedAt,
    image: property.images
      .slice(0, MAX_IMAGES)
      .map((picture) => sharePicture(picture, origin).url),
    about: building(property),
    ...(property.price && {
      offers: offer(property, property.price, estateAgentInShort(settings, standing)),
    }),
  };
  return graph(listing, breadcrumbList([...crumbs, { label: property.title, to: path }], standing));
}

function building(property: PropertyDetail) {
  return {
    "@type": ABOUT[property.propertyType],
    identifier: property.ref,
    address: {
      "@type": "PostalAddress",
      addressLocality: placeLabel(property.location.name),
      addressRegion: "Málaga",
      addressCountry: "ES",
    },
    ...(property.coordinates && {
      geo: {
        "@type": "GeoCoordinates",
        latitude: roughly(property.coordinates).lat,
        longitude: roughly(property.coordinates).lng,
      },
    }),
    // Schema.org knows them of homes alone: of garages, land and premises it has no word for them.
    ...(property.propertyType !== "Commercial" && home(property)),
  };
}

function home(property: PropertyDetail) {
  return {
    ...(property.bedrooms && { numberOfBedrooms: property.bedrooms }),
    ...(property.bathrooms && { numberOfBathroomsTotal: property.bathrooms }),
    ...(property.yearBuilt && { yearBuilt: property.yearBuilt }),
    ...(property.builtArea && {
      floorSize: { "@type": "QuantitativeValue", value: property.builtArea, unitCode: "MTK" },
    }),
  };
}

function offer(property: PropertyDetail, price: number, seller: unknown) {
  const sold = property.status === "sold";
  return {
    "@type": "Offer",
    price,
    priceCurrency: "EUR",
    availability: sold ? "https://schema.org/SoldOut" : "https://schema.org/InStock",
    seller,
  };
}
