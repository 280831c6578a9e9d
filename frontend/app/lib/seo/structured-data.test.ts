import { expect, test } from "vitest";
import type { SiteSettings } from "#app/lib/api/types.ts";
import { unknownToSchemaOrg } from "../../../tests/schema-org.ts";
import {
  article,
  breadcrumbList,
  estateAgent,
  faqPage,
  graph,
  webSite,
} from "./structured-data.ts";

const settings: SiteSettings = {
  companyName: "Almijara Homes",
  phones: ["+34 951 550 101"],
  emails: ["hello@almijarahomes.example"],
  titleSuffix: "Almijara Homes",
  tagline: "",
  description: "Homes",
  footerNote: "",
  sampleNotice: "",
  town: "Torrox Costa",
  openingHours: [],
};
const origin = "https://homes.example";

test("breadcrumbs count from one and stay in their language", () => {
  const crumbs = [
    { label: "Inicio", to: "/" },
    { label: "Noticias", to: "/news" },
  ];
  expect(breadcrumbList(crumbs, { origin, locale: "es" }).itemListElement).toEqual([
    { "@type": "ListItem", position: 1, name: "Inicio", item: "https://homes.example/es" },
    { "@type": "ListItem", position: 2, name: "Noticias", item: "https://homes.example/es/news" },
  ]);
});

test("a page without questions has no FAQ data", () => {
  expect(faqPage([])).toBeUndefined();
  expect(graph(faqPage([]), { "@type": "Thing" })).toEqual({
    "@context": "https://schema.org",
    "@graph": [{ "@type": "Thing" }],
  });
});

test("an article belongs to the address of its own language", () => {
  const facts = { title: "A", summary: "B", language: "en", path: "/news/a" } as const;
  expect(article(facts, settings, origin)).toMatchObject({
    inLanguage: "en-GB",
    mainEntityOfPage: "https://homes.example/news/a",
  });
  expect(article(facts, settings, origin)).not.toHaveProperty("datePublished");
});

test("the agency's data omits what the editors have not entered", () => {
  const { address } = estateAgent(settings, { origin, locale: "en" });
  expect(address).toEqual({
    "@type": "PostalAddress",
    addressLocality: "Torrox Costa",
    addressCountry: "ES",
  });
});

test("the site is searched in the language of its page", () => {
  expect(webSite(settings, { origin, locale: "es" })).toMatchObject({
    url: "https://homes.example/es",
    inLanguage: "es-ES",
    potentialAction: {
      target: { urlTemplate: "https://homes.example/es/property-for-sale?q={search_term_string}" },
    },
  });
});

test("only properties that schema.org defines are used", () => {
  const standing = { origin, locale: "en" } as const;
  const picture = { file: "a", version: "b", alt: "", width: 1600, height: 1067 };
  const all: SiteSettings = {
    ...settings,
    legalName: "Almijara Homes SL",
    hero: picture,
    street: "Peñoncillo, local 4",
    postalCode: "29793",
    province: "Málaga",
    coordinates: { lat: 36.73, lng: -3.96 },
  };
  const facts = { title: "A", summary: "B", language: "en", path: "/news/a" } as const;
  const things = graph(
    webSite(all, standing),
    estateAgent(all, standing),
    article({ ...facts, image: picture, publishedAt: "2026-11-01" }, all, origin),
    faqPage([{ question: "A?", answer: "B." }]),
    breadcrumbList([{ label: "Home", to: "/" }], standing),
  );
  expect(unknownToSchemaOrg(things)).toEqual([]);
  const wrong = { "@type": "Place", floorSize: { "@type": "Size", value: 1 } };
  expect(unknownToSchemaOrg(wrong)).toEqual(["Place.floorSize", "Size.value"]);
});
