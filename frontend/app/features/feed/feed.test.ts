import { expect, test } from "vitest";
import { type Feed, rss } from "./feed.ts";

const feed: Feed = {
  locale: "es",
  title: "Casas & pisos",
  description: "Lo nuevo",
  path: "/new-properties",
  self: "/new-properties.xml",
  entries: [
    {
      title: "Piso <2 dormitorios> · 189.000 €",
      summary: "Vistas & sol",
      path: "/property-for-sale/nerja/AH-1",
      publishedAt: "2026-11-15T00:00:00+00:00",
      picture: { file: "f", version: "v", width: 1440, height: 960, alt: 'Una "terraza"' },
    },
    {
      title: "Casa",
      summary: "",
      path: "/property-for-sale/nerja/AH-2",
      publishedAt: "2026-11-01T10:00:00+01:00",
    },
  ],
};

test("an entry links to its page in the feed's language, and its texts are escaped", () => {
  const xml = rss(feed, "https://homes.example");
  expect(xml).toContain("<title>Casas &amp; pisos</title>");
  expect(xml).toContain("<title>Piso &lt;2 dormitorios&gt; · 189.000 €</title>");
  const address = "https://homes.example/es/property-for-sale/nerja/AH-1";
  expect(xml).toContain(`<link>${address}</link><guid isPermaLink="true">${address}</guid>`);
  expect(xml).toContain("<pubDate>Sun, 15 Nov 2026 00:00:00 GMT</pubDate>");
  expect(xml).toContain('href="https://homes.example/es/new-properties.xml"');
  expect(xml).toContain("<media:description>Una &quot;terraza&quot;</media:description>");
});

test("a feed is dated by its newest entry, and an empty feed has no date", () => {
  expect(rss(feed, "")).toContain("<lastBuildDate>Sun, 15 Nov 2026 00:00:00 GMT</lastBuildDate>");
  expect(rss({ ...feed, entries: [] }, "")).not.toContain("lastBuildDate");
});
