import type { PropertyDetail } from "#app/lib/api/types.ts";
import { LANGUAGE_TAG } from "#app/lib/i18n/locale.ts";

/** What the property is in schema.org's words. */
export function propertyStructuredData(
  property: PropertyDetail,
  url: string,
  origin: string,
): Record<string, unknown> {
  return {
    "@context": "https://schema.org",
    "@type": "RealEstateListing",
    name: property.title,
    description: property.summary,
    inLanguage: LANGUAGE_TAG[property.language],
    url,
    datePosted: property.publishedAt.slice(0, 10),
    dateModified: property.updatedAt,
    image: property.images.map(
      ({ file, version }) => `${origin}/media/${file}/${version}/1280.jpg`,
    ),
    about: {
      "@type": { House: "House", Apartment: "Apartment", Commercial: "Place" }[
        property.propertyType
      ],
      name: property.title,
      identifier: property.ref,
      address: {
        "@type": "PostalAddress",
        addressLocality: property.location.name,
        addressRegion: "Málaga",
        addressCountry: "ES",
      },
      ...(property.coordinates && {
        geo: {
          "@type": "GeoCoordinates",
          latitude: property.coordinates.lat,
          longitude: property.coordinates.lng,
        },
      }),
      ...(property.bedrooms && { numberOfBedrooms: property.bedrooms }),
      ...(property.bathrooms && { numberOfBathroomsTotal: property.bathrooms }),
      ...(property.builtArea && {
        floorSize: { "@type": "QuantitativeValue", value: property.builtArea, unitCode: "MTK" },
      }),
    },
    ...(property.price && {
      offers: {
        "@type": "Offer",
        price: property.price,
        priceCurrency: "EUR",
        availability:
          property.status === "sold" ? "https://schema.org/SoldOut" : "https://schema.org/InStock",
      },
    }),
  };
}
