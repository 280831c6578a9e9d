import { expect, test } from "vitest";
import type { Read } from "#app/lib/query/page.ts";
import { newestHomes } from "./newest-homes.ts";

interface Home {
  ref: string;
  language: string;
  publishedAt: string;
}

/** So many homes with a text in one language alone, each older than the one before it. */
function homes(language: string, count: number, year: number): Home[] {
  return Array.from({ length: count }, (_, index) => ({
    ref: `${language}-${index}`,
    language,
    publishedAt: new Date(Date.UTC(year, 0, 1) - index * 60_000).toISOString(),
  }));
}

/** An API that finds these homes, and these of what nobody lives in. */
function answering(all: readonly Home[], others: readonly Home[] = []) {
  let questions = 0;
  const read = (async ({ queryKey: [address] }: { queryKey: [string] }) => {
    questions += 1;
    const { searchParams } = new URL(address, "http://api");
    const asked = (name: string) => Number(searchParams.get(name));
    const found = searchParams.getAll("propertyType").includes("Commercial") ? others : all;
    const start = (asked("page") - 1) * asked("perPage");
    return { items: found.slice(start, start + asked("perPage")) };
  }) as unknown as Read;
  return { read, questions: () => questions };
}

test("homes in the other language alone take the place of none that can be read", async () => {
  for (const count of [30, 130]) {
    const { read } = answering([...homes("en", count, 2026), ...homes("es", 5, 2025)]);
    const found = await newestHomes(read, "es");
    expect(found.map(({ ref }) => ref)).toEqual(["es-0", "es-1", "es-2", "es-3", "es-4"]);
  }
});

test("thirty are shown, the newest of all types, and no more is asked for than that takes", async () => {
  const { read, questions } = answering(homes("es", 250, 2025), homes("es", 2, 2026));
  const found = await newestHomes(read, "es");
  expect(found).toHaveLength(30);
  expect(found.slice(0, 2).map(({ publishedAt }) => publishedAt.slice(0, 4))).toEqual([
    "2026",
    "2025",
  ]);
  expect(questions()).toBe(2);
});

test("where none can be read the search for one ends", async () => {
  const { read, questions } = answering(homes("en", 2_000, 2026));
  expect(await newestHomes(read, "es")).toEqual([]);
  expect(questions()).toBeLessThan(10);
});
