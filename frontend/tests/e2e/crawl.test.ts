import { beforeAll, describe, expect, test } from "vitest";
import { unknownToSchemaOrg } from "../schema-org.ts";
import { type Crawled, crawl, pathOf } from "./crawl.ts";
import { elements, headOf } from "./html.ts";
import { ask } from "./site.ts";

/** Filtered lists are fetched but not followed: there are too many. */
const followed = (address: string) => /^[^?]*(\?page=\d+)?$/.test(address);
/** A floor plan is a link to its picture. */
const isPicture = (address: string) => address.startsWith("/media/");
const spanish = (address: string) => /^\/es(\/|\?|$)/.test(address);

let mapped: string[];
let site: Map<string, Crawled>;
/** The pages that search engines may index: with their own address as canonical. */
let indexable: { address: string; head: ReturnType<typeof headOf> }[];

async function text(path: string): Promise<string> {
  const response = await ask(path);
  expect([path, response.status]).toEqual([path, 200]);
  return response.text();
}

const local = (address: string) => {
  const path = pathOf(address);
  if (path === null) throw new Error(`${address} is not of this site`);
  return path;
};

beforeAll(async () => {
  const parts = elements(await text("/sitemap.xml"), "loc").map(local);
  const maps = await Promise.all(parts.map(text));
  mapped = maps.flatMap((map) => elements(map, "loc")).map(local);
  site = await crawl(["/", "/es", ...mapped], followed);
  indexable = [...site.values()]
    .filter(({ status }) => status === 200)
    .map(({ address, html }) => ({ address, head: headOf(html) }))
    .filter(({ address, head }) => head.indexed && local(head.canonical[0] ?? "/?") === address);
}, 600_000);

test("every internal link works (of forms and sheets, one of each kind), with at most one redirect", () => {
  const broken: unknown[] = [];
  const moved: string[] = [];
  for (const { address, status, location } of site.values()) {
    if (status === 200) continue;
    if (location !== null && site.get(location)?.status === 200) moved.push(address);
    else broken.push([address, status, location]);
  }
  if (moved.length > 0) console.log("links that lead on:", moved.join(" "));
  expect(broken).toEqual([]);
});

test("each page has one first-level heading, one title and one description", () => {
  const odd = [...site.values()]
    // A home's page links to its sheet, which is a PDF.
    .filter(
      ({ address, status }) => status === 200 && !isPicture(address) && !address.endsWith(".pdf"),
    )
    .map(({ address, html }) => ({ address, head: headOf(html) }))
    .filter(
      ({ head }) =>
        head.headings !== 1 ||
        head.titles.length !== 1 ||
        head.descriptions.length !== 1 ||
        head.canonical.length !== 1,
    );
  expect(odd.map(({ address, head }) => [address, head.headings, head.titles])).toEqual([]);
});

describe.each([
  ["English", (address: string) => !spanish(address)],
  ["Spanish", spanish],
])("the pages in %s", (_, own) => {
  test.each([
    ["title", (head: ReturnType<typeof headOf>) => head.titles[0]],
    ["description", (head: ReturnType<typeof headOf>) => head.descriptions[0]],
  ] as const)("each have a %s of their own", (_name, of) => {
    const first = new Map<string, string>();
    const repeated: string[] = [];
    for (const { address, head } of indexable.filter((page) => own(page.address))) {
      const value = of(head) ?? "";
      const other = first.get(value);
      if (value === "" || other) repeated.push(`${address} and ${other}: ${value}`);
      first.set(value, address);
    }
    expect(repeated).toEqual([]);
  });
});

test("the sitemap has exactly the pages that may be indexed", () => {
  expect(mapped.length).toBeGreaterThan(100);
  expect(mapped.filter((address, index) => mapped.indexOf(address) !== index)).toEqual([]);
  const own = new Set(indexable.map(({ address }) => address));
  expect(mapped.filter((address) => !own.has(address))).toEqual([]);
  const further = (address: string) => address.includes("?page=");
  const missing = [...own].filter((address) => !mapped.includes(address) && !further(address));
  expect(missing).toEqual([]);
});

test("alternate languages of a page refer to each other", () => {
  const alone: string[] = [];
  const byAddress = new Map(indexable.map(({ address, head }) => [address, head]));
  for (const { address, head } of indexable) {
    for (const [language, href] of Object.entries(head.alternates)) {
      const other = byAddress.get(local(href));
      const back = Object.values(other?.alternates ?? {}).map(local);
      if (!back.includes(address)) alone.push(`${address} ${language} ${href}`);
    }
  }
  expect(indexable.some(({ head }) => Object.keys(head.alternates).length === 3)).toBe(true);
  expect(alone).toEqual([]);
});

test("a text without a translation declares no alternate", () => {
  const untranslated = [...site.values()]
    .filter(({ address, status }) => status === 200 && spanish(address))
    .map(({ address, html }) => ({ address, ...headOf(html) }))
    // It shows the English text, so the English page is canonical.
    .filter(({ canonical }) => canonical.some((href) => href && !spanish(local(href))));
  expect(untranslated.map(({ address }) => address)).not.toEqual([]);
  for (const { address, indexed, alternates } of untranslated) {
    expect([address, indexed, alternates]).toEqual([address, false, {}]);
  }
});

/** The maximum size of a document before compression, in bytes: a phone parses all of it. */
const MAX_WEIGHT = [
  { what: "a home's", of: /^(\/es)?\/property-for-sale\/[^/?]+\/[^/?]+$/, most: 80_000 },
  // A document of the map view contains the drawn map.
  {
    what: "a list's",
    of: /^(\/es)?\/property-for-sale(\/[^/?]+)?(\?(?!.*view=map).*)?$/,
    most: 110_000,
  },
];

test.each(MAX_WEIGHT)("$what document weighs at most $most bytes", ({ of, most }) => {
  const weighed = [...site.values()]
    .filter(({ address, status }) => status === 200 && of.test(address))
    .map(({ address, html }) => ({ address, weight: Buffer.byteLength(html) }));
  expect(weighed.length).toBeGreaterThan(10);
  expect(weighed.filter(({ weight }) => weight > most)).toEqual([]);
});

/** The maximum size of the API's answer for a page of a list, in bytes, before compression. */
const MAX_ANSWERED = 18_000;

test("the API's answer for a page of a list has at most 18,000 bytes", async () => {
  const heavy: unknown[] = [];
  for (const locale of ["en", "es"]) {
    for (const sort of ["newest", "oldest", "price-desc", "reduced"]) {
      const answered = await text(`/api/properties?fields=card&locale=${locale}&sort=${sort}`);
      expect(JSON.parse(answered).items).toHaveLength(24);
      const weight = Buffer.byteLength(answered);
      if (weight > MAX_ANSWERED) heavy.push([locale, sort, weight]);
    }
  }
  expect(heavy).toEqual([]);
});

test("pages have structured data about their subject", () => {
  const types = (address: string) =>
    headOf(site.get(address)?.html ?? "").things.map((thing) => thing["@type"]);
  const one = (pattern: RegExp) => mapped.find((address) => pattern.test(address)) ?? "";
  expect(types("/")).toEqual(expect.arrayContaining(["WebSite", "RealEstateAgent"]));
  expect(types(one(/^\/property-for-sale\/[^/]+\/[^/]+$/))).toEqual([
    "RealEstateListing",
    "BreadcrumbList",
  ]);
  expect(types(one(/^\/news\/.+/))).toEqual(expect.arrayContaining(["Article", "BreadcrumbList"]));
  expect(types("/buying-a-property")).toEqual(expect.arrayContaining(["Article", "FAQPage"]));
  expect(types(one(/^\/property-for-sale\/[^/]+$/))).toEqual(["BreadcrumbList"]);
});

test("all structured data is defined by schema.org", () => {
  const told = [...site.values()]
    .filter(({ html }) => html.includes("application/ld+json"))
    .map(({ address, html }) => ({ address, things: headOf(html).things }));
  expect(told.length).toBeGreaterThan(100);
  const unknown = told.flatMap(({ address, things }) =>
    unknownToSchemaOrg(things).map((name) => `${address}: ${name}`),
  );
  expect(unknown).toEqual([]);
});

test("the pictures in the sitemap and in link previews exist", async () => {
  const part = mapped.find((address) => /^\/property-for-sale\/[^/]+\/[^/]+$/.test(address)) ?? "";
  const [shared = ""] = headOf(site.get(part)?.html ?? "").pictures;
  const onMap = elements(await text("/sitemaps/en-properties-1.xml"), "image:loc");
  for (const address of [shared, onMap[0] ?? ""]) {
    const response = await ask(local(address));
    expect([address, response.status]).toEqual([address, 200]);
    expect(response.headers.get("content-type")).toBe("image/jpeg");
  }
});

test("robots.txt names the sitemap, and feeds link to existing pages", async () => {
  const robots = await text("/robots.txt");
  const map = /^Sitemap: (.*)$/m.exec(robots)?.[1] ?? "";
  expect(local(map)).toBe("/sitemap.xml");
  for (const feed of [
    "/new-properties.xml",
    "/es/new-properties.xml",
    "/news.xml",
    "/es/news.xml",
  ]) {
    const links = elements(await text(feed), "link").map(local);
    expect(links.length).toBeGreaterThan(1);
    expect(links.filter((link) => site.get(link)?.status !== 200)).toEqual([]);
    expect(links.every((link) => spanish(link) === spanish(feed))).toBe(true);
  }
});
