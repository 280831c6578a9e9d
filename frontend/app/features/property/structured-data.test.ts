import { expect, test } from "vitest";
import type { PropertyDetail, PropertyType, SiteSettings } from "#app/lib/api/types.ts";
import { unknownToSchemaOrg } from "../../../tests/schema-org.ts";
import { propertyStructuredData } from "./structured-data.ts";

const settings = { companyName: "Almijara Homes", province: "Granada" } as SiteSettings;

function structuredData(propertyType: PropertyType, of = settings) {
  const property = {
    ref: "AH-1042",
    title: "Corner premises",
    summary: "By the lighthouse.",
    language: "en",
    propertyType,
    location: { slug: "nerja", name: "Nerja" },
    coordinates: { lat: 36.745, lng: -3.873 },
    status: "for_sale",
    price: 165_000,
    bedrooms: 2,
    bathrooms: 1,
    builtArea: 90,
    yearBuilt: 1998,
    publishedAt: "2026-01-12T10:00:00Z",
    updatedAt: "2026-11-20T10:00:00Z",
    images: [{ file: "a", version: "b", alt: "Outside", width: 1600, height: 1067 }],
  } as unknown as PropertyDetail;
  const standing = { origin: "https://homes.example", locale: "en" } as const;
  return propertyStructuredData(property, of, [{ label: "Home", to: "/" }], standing);
}

test("each type of property has only properties that schema.org defines for it", () => {
  for (const type of ["House", "Apartment", "Commercial"] as const) {
    expect([type, unknownToSchemaOrg(structuredData(type))]).toEqual([type, []]);
  }
  const size = { "@type": "QuantitativeValue", value: 90, unitCode: "MTK" };
  const home = { numberOfBedrooms: 2, numberOfBathroomsTotal: 1, yearBuilt: 1998, floorSize: size };
  expect(structuredData("House")).toMatchObject({ "@graph": [{ about: home }, {}] });
  expect(structuredData("Commercial")).toMatchObject({
    "@graph": [{ about: { "@type": "Place", identifier: "AH-1042" } }, {}],
  });
});

test("the region is the province of the agency, if the settings name one", () => {
  const place = { "@type": "PostalAddress", addressLocality: "Nerja", addressCountry: "ES" };
  const addressIn = (province: string | null) => {
    const data = structuredData("House", { ...settings, province }) as {
      "@graph": { about?: { address: unknown } }[];
    };
    return data["@graph"][0]?.about?.address;
  };
  expect(addressIn("Granada")).toEqual({ ...place, addressRegion: "Granada" });
  expect(addressIn(null)).toEqual(place);
});
