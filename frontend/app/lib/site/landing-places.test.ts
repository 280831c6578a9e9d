import { expect, test } from "vitest";
import type { Site } from "#app/lib/api/types.ts";
import { landingPath, placeOfPage } from "./landing-places.ts";

const locations = ["torrox", "torrox-costa", "nerja"].map((slug) => ({ slug, name: slug }));

test("a page is about the place that its address begins with, and about the nearest", () => {
  const place = (page: string) => placeOfPage(page, locations)?.slug;
  expect(place("torrox-property-for-sale")).toBe("torrox");
  expect(place("torrox-costa-by-the-sea")).toBe("torrox-costa");
  expect(place("nerja")).toBe("nerja");
  expect(place("nerjabeach")).toBeUndefined();
  expect(place("marbella-villa-rentals")).toBeUndefined();
});

test("a place's page is found where a menu leads to it", () => {
  const link = (url: string) => ({ label: url, url });
  const site = {
    locations,
    navigation: {
      header: [],
      footer: [link("/property-for-sale/nerja")],
      popular: [link("/property-for-sale?propertyType=House"), link("/nerja-malaga-east")],
      quick: [],
      legal: [],
    },
  } as unknown as Site;
  expect(landingPath("nerja", site)).toBe("/nerja-malaga-east");
  expect(landingPath("torrox", site)).toBeUndefined();
});
