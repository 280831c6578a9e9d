import type { PropertyDetail, SiteSettings } from "#app/lib/api/types.ts";
import { LANGUAGE_TAG } from "#app/lib/i18n/locale.ts";
import { roughly } from "./roughly.ts";

interface DataCrumb {
  readonly name: string;
  /** Absolute. */
  readonly url: string;
}

interface Surroundings {
  /** The page's own absolute address. */
  url: string;
  origin: string;
  settings: SiteSettings;
  /** The way down to the page, the page itself last. */
  crumbs: readonly DataCrumb[];
}

const ABOUT = { House: "House", Apartment: "Apartment", Commercial: "Place" } as const;

/** What the property is, who sells it and where its page stands, in schema.org's words. */
export function propertyStructuredData(
  property: PropertyDetail,
  { url, origin, settings, crumbs }: Surroundings,
): Record<string, unknown> {
  const agent = {
    "@type": "RealEstateAgent",
    "@id": `${origin}/#agency`,
    name: settings.companyName,
    url: `${origin}/`,
    ...(settings.phones[0] && { telephone: settings.phones[0] }),
  };
  return {
    "@context": "https://schema.org",
    "@graph": [
      {
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
        about: building(property),
        ...(property.price && { offers: offer(property, property.price, url, agent) }),
      },
      {
        "@type": "BreadcrumbList",
        itemListElement: crumbs.map(({ name, url: item }, index) => ({
          "@type": "ListItem",
          position: index + 1,
          name,
          item,
        })),
      },
    ],
  };
}

function building(property: PropertyDetail) {
  return {
    "@type": ABOUT[property.propertyType],
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
        latitude: roughly(property.coordinates).lat,
        longitude: roughly(property.coordinates).lng,
      },
    }),
    ...(property.bedrooms && { numberOfBedrooms: property.bedrooms }),
    ...(property.bathrooms && { numberOfBathroomsTotal: property.bathrooms }),
    ...(property.yearBuilt && { yearBuilt: property.yearBuilt }),
    ...(property.builtArea && {
      floorSize: { "@type": "QuantitativeValue", value: property.builtArea, unitCode: "MTK" },
    }),
  };
}

function offer(property: PropertyDetail, price: number, url: string, seller: unknown) {
  const sold = property.status === "sold";
  return {
    "@type": "Offer",
    url,
    price,
    priceCurrency: "EUR",
    availability: sold ? "https://schema.org/SoldOut" : "https://schema.org/InStock",
    seller,
  };
}
