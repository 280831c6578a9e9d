import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { comparableQuery } from "#app/features/property/price/comparable.ts";
import { browserQueryClient } from "#app/lib/query/client.ts";
import { clientLoader } from "./property-detail.tsx";

const HOME = {
  ref: "AH-1001",
  location: { slug: "nerja", name: "Nerja" },
  kind: "villa",
  price: 285_000,
  status: "for_sale",
  similar: [],
  history: [],
};
const COMPARED = { homes: 12, soldSince: "2024-11-25T10:00:00Z" };

/** Loads the page of `HOME` with these fields, from an API that has `compared`; returns what it requested. */
async function requests(fields: Partial<typeof HOME>, compared: object | undefined) {
  const requested: string[] = [];
  vi.stubGlobal("fetch", async (address: string) => {
    const { pathname } = new URL(address, "https://site.example");
    requested.push(pathname);
    const answers: Record<string, unknown> = {
      "/api/properties/AH-1001": { ...HOME, ...fields },
      "/api/properties/AH-1001/comparable": compared,
      "/api/figures": { figures: {} },
    };
    const answer = answers[pathname];
    return Response.json(answer ?? {}, { status: answer ? 200 : 404 });
  });
  const url = new URL("https://site.example/property-for-sale/nerja/AH-1001");
  await clientLoader({ params: { location: "nerja", ref: "AH-1001" }, url });
  return requested;
}

const loaded = () => browserQueryClient().getQueryData(comparableQuery("en", "AH-1001").queryKey);

beforeEach(() => browserQueryClient().clear());
afterAll(() => vi.unstubAllGlobals());

test("the comparison of the price comes with the home", async () => {
  await requests({}, { homes: COMPARED });
  expect(loaded()).toMatchObject({ body: { homes: 12 } });
});

test("a home without a comparison, as in a preview, is shown all the same", async () => {
  expect(await requests({}, undefined)).toContain("/api/properties/AH-1001/comparable");
  expect(loaded()).toBeUndefined();
});

test("no comparison is requested for a sold home or a garage", async () => {
  for (const fields of [{ status: "sold" }, { kind: "garage" }]) {
    expect((await requests(fields, { homes: COMPARED })).join()).not.toContain("comparable");
    browserQueryClient().clear();
  }
});
