import { expect, test } from "vitest";
import {
  kindOf,
  MAX_PER_PART,
  partPath,
  partsOf,
  type SitemapAddress,
  sitemapIndex,
  sitemapPart,
} from "./sitemap.ts";

const origin = "https://homes.example";

function address(path: string, rest: Partial<SitemapAddress> = {}): SitemapAddress {
  return { path, locales: ["en", "es"], lastmod: "2026-01-02T03:04:05Z", images: [], ...rest };
}

test.each([
  ["/", "pages"],
  ["/buying-a-property", "pages"],
  ["/nerja-malaga-east", "pages"],
  ["/property-for-sale", "places"],
  ["/property-for-sale/nerja", "places"],
  ["/property-for-sale/nerja?kind=villa", "places"],
  ["/property-for-sale/nerja/AH-1", "properties"],
  ["/news/a-number", "news"],
  ["/docs", "docs"],
  ["/docs/buying/mortgages", "docs"],
])("%s is one of the %s", (path, kind) => {
  expect(kindOf(path)).toBe(kind);
});

test("an address is listed in the files of its languages, with a link to the other language if there is one", () => {
  const home = "/property-for-sale/nerja/AH-1";
  const parts = partsOf([
    address(home, { images: ["f1/v1", "f2/v2"] }),
    address("/terms", { locales: ["en"] }),
  ]);
  expect(parts.map(partPath)).toEqual([
    "/sitemaps/en-properties-1.xml",
    "/sitemaps/en-pages-1.xml",
    "/sitemaps/es-properties-1.xml",
  ]);
  const [, english, spanish] = parts.map((part) => sitemapPart(part, origin));
  expect(english).toContain("<loc>https://homes.example/terms</loc>");
  expect(english).not.toContain("xhtml:link");
  expect(spanish).toContain(
    `<loc>${origin}/es${home}</loc><lastmod>2026-01-02T03:04:05Z</lastmod>`,
  );
  for (const [language, href] of [
    ["en-GB", origin + home],
    ["es-ES", `${origin}/es${home}`],
    ["x-default", origin + home],
  ]) {
    expect(spanish).toContain(
      `<xhtml:link rel="alternate" hreflang="${language}" href="${href}"/>`,
    );
  }
  expect(spanish?.match(/<image:loc>[^<]*/g)).toEqual([
    "<image:loc>https://homes.example/media/f1/v1/1280.jpg",
    "<image:loc>https://homes.example/media/f2/v2/1280.jpg",
  ]);
});

test("the sitemap index has the last change of each file", () => {
  const parts = partsOf([
    address("/news/a", { lastmod: "2026-02-01T00:00:00Z" }),
    address("/news/b", { lastmod: "2026-03-01T00:00:00Z" }),
  ]);
  expect(sitemapIndex(parts, origin)).toContain(
    "<sitemap><loc>https://homes.example/sitemaps/en-news-1.xml</loc><lastmod>2026-03-01T00:00:00Z</lastmod></sitemap>",
  );
});

test("the news list is included only where it is published, with the newest article's date", () => {
  const list = address("/news", { locales: ["en"] });
  const news = address("/news/a", { lastmod: "2026-02-01T00:00:00Z" });
  const [english, spanish] = partsOf([list, news]);
  expect(english?.addresses).toEqual([{ ...list, lastmod: news.lastmod }, news]);
  expect(spanish?.addresses).toEqual([news]);
  const [unpublished] = partsOf([news]);
  expect(unpublished?.addresses).toEqual([news]);
});

test("addresses that exceed one file are split, each into exactly one file", () => {
  const many = Array.from({ length: MAX_PER_PART * 2 + 1 }, (_, index) =>
    address(`/property-for-sale/nerja/AH-${index}`, { locales: ["en"] }),
  );
  const parts = partsOf(many);
  expect(parts.map(({ addresses }) => addresses.length)).toEqual([MAX_PER_PART, MAX_PER_PART, 1]);
  expect(parts.flatMap(({ addresses }) => addresses)).toEqual(many);
});
