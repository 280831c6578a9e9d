import { expect, test } from "vitest";
import type { Read } from "#app/lib/query/page.ts";
import { addPlacePages } from "./place-addresses.ts";

test("only the address of a place is followed by those of its types and kinds with homes", async () => {
  const asked: string[] = [];
  const read = (async ({ queryKey: [address] }: { queryKey: [string] }) => {
    asked.push(address);
    const propertyType = { House: address.includes("nerja") ? 2 : 0 };
    return { facets: { propertyType, kind: { villa: 1 } } };
  }) as unknown as Read;
  const addresses = [
    "/",
    "/property-for-sale",
    "/property-for-sale/maro",
    "/property-for-sale/maro/AH-1",
    "/property-for-sale/nerja",
  ].map((path) => ({ path, lastmod: "now" }));
  expect((await addPlacePages(addresses, read)).map(({ path }) => path)).toEqual([
    "/",
    "/property-for-sale",
    "/property-for-sale/maro",
    "/property-for-sale/maro?kind=villa",
    "/property-for-sale/maro/AH-1",
    "/property-for-sale/nerja",
    "/property-for-sale/nerja?propertyType=House",
    "/property-for-sale/nerja?kind=villa",
  ]);
  expect(asked).toHaveLength(2);
});
