import { expect, test } from "vitest";
import type { Read } from "#app/lib/query/page.ts";
import { newestHomes } from "./newest-homes.ts";

interface Home {
  ref: string;
  language: string;
  publishedAt: string;
}

/** Returns `count` homes with a text in only one language, each older than the one before it. */
function homes(language: string, count: number, year: number): Home[] {
  return Array.from({ length: count }, (_, index) => ({
    ref: `${language}-${index}`,
    language,
    publishedAt: new Date(Date.UTC(year, 0, 1) - index * 60_000).toISOString(),
  }));
}

/** An API that finds these homes and these other properties, and counts its requests. */
function fakeApi(all: readonly Home[], others: readonly Home[] = []) {
  let requests = 0;
  const read = (async ({ queryKey: [address] }: { queryKey: [string] }) => {
    requests += 1;
    const { searchParams } = new URL(address, "http://api");
    const numberOf = (name: string) => Number(searchParams.get(name));
    const found = searchParams.getAll("propertyType").includes("Commercial") ? others : all;
    const start = (numberOf("page") - 1) * numberOf("perPage");
    return { items: found.slice(start, start + numberOf("perPage")) };
  }) as unknown as Read;
  return { read, requests: () => requests };
}

test("homes in only the other language do not displace those that can be read", async () => {
  for (const count of [30, 130]) {
    const { read } = fakeApi([...homes("en", count, 2026), ...homes("es", 5, 2025)]);
    const found = await newestHomes(read, "es");
    expect(found.map(({ ref }) => ref)).toEqual(["es-0", "es-1", "es-2", "es-3", "es-4"]);
  }
});

test("thirty are shown, the newest of all types, and no more pages are read than needed", async () => {
  const { read, requests } = fakeApi(homes("es", 250, 2025), homes("es", 2, 2026));
  const found = await newestHomes(read, "es");
  expect(found).toHaveLength(30);
  expect(found.slice(0, 2).map(({ publishedAt }) => publishedAt.slice(0, 4))).toEqual([
    "2026",
    "2025",
  ]);
  expect(requests()).toBe(2);
});

test("the search ends if no home can be read", async () => {
  const { read, requests } = fakeApi(homes("en", 2_000, 2026));
  expect(await newestHomes(read, "es")).toEqual([]);
  expect(requests()).toBeLessThan(10);
});
