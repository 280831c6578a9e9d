import type { PropertyDetail, SiteSettings } from "#app/lib/api/types.ts";
import { LANGUAGE_TAG, localizedPath } from "#app/lib/i18n/locale.ts";
import { propertyPath } from "#app/lib/property/queries.ts";
import { sharePicture } from "#app/lib/seo/share-picture.ts";
import {
  breadcrumbList,
  estateAgentInShort,
  graph,
  type PageContext,
} from "#app/lib/seo/structured-data.ts";
import { placeLabel } from "#app/lib/site/place-label.ts";
import { approximateSpot } from "./facts/approximate-spot.ts";

/** The number of images to declare; a search engine shows only one. */
const MAX_IMAGES = 2;

const SCHEMA_TYPES = { House: "House", Apartment: "Apartment", Commercial: "Place" } as const;

/** Returns the schema.org data of a property page: the property, the seller and the breadcrumbs. */
export function propertyStructuredData(
  property: PropertyDetail,
  settings: SiteSettings,
  crumbs: readonly { label: string; to: string }[],
  standing: PageContext,
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
    image: property.images.slice(0, MAX_IMAGES).map((picture) => sharePicture(picture, origin).url),
    about: describeProperty(property, settings),
    ...(property.price && {
      offers: offer(property, property.price, estateAgentInShort(settings, standing)),
    }),
  };
  return graph(listing, breadcrumbList([...crumbs, { label: property.title, to: path }], standing));
}

function describeProperty(property: PropertyDetail, settings: SiteSettings) {
  return {
    "@type": SCHEMA_TYPES[property.propertyType],
    identifier: property.ref,
    address: {
      "@type": "PostalAddress",
      addressLocality: placeLabel(property.location.name),
      ...(settings.province && { addressRegion: settings.province }),
      addressCountry: "ES",
    },
    ...(property.coordinates && {
      geo: {
        "@type": "GeoCoordinates",
        latitude: approximateSpot(property.coordinates).lat,
        longitude: approximateSpot(property.coordinates).lng,
      },
    }),
    // Schema.org defines these properties only for homes, not for garages, land and premises.
    ...(property.propertyType !== "Commercial" && homeFields(property)),
  };
}

function homeFields(property: PropertyDetail) {
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
