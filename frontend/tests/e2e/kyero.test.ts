import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { validateXML } from "xmllint-wasm";
import { elements } from "./html.ts";
import { ask } from "./site.ts";

const SCHEMA = new URL("../../../services/query/kyero.xsd", import.meta.url);

/** Fetches the feed of a portal. */
async function feed(query = ""): Promise<string> {
  const response = await ask(`/feeds/kyero.xml${query}`);
  expect([response.status, response.headers.get("content-type")]).toEqual([
    200,
    "application/xml; charset=utf-8",
  ]);
  return response.text();
}

async function faultsOf(xml: string): Promise<string[]> {
  const { errors } = await validateXML({
    xml: [{ fileName: "feed.xml", contents: xml }],
    schema: [{ fileName: "kyero.xsd", contents: await readFile(SCHEMA, "utf8") }],
  });
  return errors.map(({ message }) => message);
}

test("a portal gets every home for sale, in a feed that is valid by its schema", async () => {
  const xml = await feed();
  expect(await faultsOf(xml)).toEqual([]);
  const list = await ask("/api/properties?status=for_sale&perPage=1");
  const { total } = (await list.json()) as { total: number };
  const priced = await ask("/api/properties?status=for_sale&minPrice=0&perPage=1");
  const { total: expected } = (await priced.json()) as { total: number };
  expect(elements(xml, "ref")).toHaveLength(expected);
  expect(total).toBeGreaterThan(1);
  // The addresses in the feed work.
  const [picture = ""] = elements(xml, "url").filter((url) => url.endsWith(".jpg"));
  const [page = ""] = elements(xml, "es").filter((text) => text.startsWith("http"));
  for (const [address, type] of [
    [picture, "image/jpeg"],
    [page, "text/html; charset=utf-8"],
  ] as const) {
    const answer = await ask(new URL(address).pathname);
    expect([address, answer.status, answer.headers.get("content-type")]).toEqual([
      address,
      200,
      type,
    ]);
  }
});

test("the query of a portal's address filters the feed", async () => {
  const homes = await feed("?propertyType=House&minPrice=300000");
  expect(await faultsOf(homes)).toEqual([]);
  const prices = elements(homes, "price").map(Number);
  expect(prices.length).toBeGreaterThan(0);
  expect(Math.min(...prices)).toBeGreaterThanOrEqual(300_000);
  expect(await faultsOf(await feed("?minPrice=900000000"))).toEqual([]);
  const refused = await ask("/feeds/kyero.xml?page=2");
  expect([refused.status, refused.headers.get("content-type")]).toEqual([
    400,
    "application/problem+json",
  ]);
});

test("the schema rejects homes with missing or malformed elements", async () => {
  const xml = await feed();
  for (const [what, broken] of [
    ["a day in another form", xml.replace(/<date>[^<]*/, "<date>2026-11-24T09:05:00Z")],
    ["a type with an accent", xml.replace(/<type>[^<]*/, "<type>Ático")],
    ["no price", xml.replace(/<price>[^<]*<\/price>/, "")],
    ["a picture that is none", xml.replace(/\.jpg</, ".webp<")],
  ] as const) {
    expect([what, (await faultsOf(broken)).length]).not.toEqual([what, 0]);
  }
});
