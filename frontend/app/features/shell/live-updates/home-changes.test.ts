import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type OfferChange, watchHomes } from "./home-changes.ts";
import { changesInWords } from "./messages.ts";

let client: QueryClient;
let stop: AbortController;
let reported: (readonly OfferChange[])[];
let served: Record<string, unknown>;

beforeEach(() => {
  vi.useFakeTimers();
  client = new QueryClient({
    defaultOptions: {
      queries: {
        queryFn: ({ queryKey }) => ({ body: served[String(queryKey[0])], sequence: 1, tags: [] }),
        staleTime: Number.POSITIVE_INFINITY,
      },
    },
  });
  stop = new AbortController();
  reported = [];
  served = {};
  watchHomes(client, (changes) => reported.push(changes), stop.signal);
});

afterEach(() => {
  stop.abort();
  client.clear();
  vi.useRealTimers();
});

const home = (ref: string, price: number | null, status = "for_sale") => ({ ref, price, status });

/** Answers a query whose answer the page shows. */
async function cached(key: string, body: unknown, meta = {}): Promise<void> {
  served[key] = body;
  new QueryObserver(client, { queryKey: [key], meta }).subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(2_000);
}

/** Changes the answer of the site, and reports the change. */
async function changed(key: string, body: unknown): Promise<void> {
  served[key] = body;
  void client.invalidateQueries({ queryKey: [key] });
  await vi.advanceTimersByTimeAsync(100);
}

const settled = () => vi.advanceTimersByTimeAsync(2_000);

test("only changes of a price or status on the page are reported", async () => {
  await cached("list", { items: [home("AH-1", 100), home("AH-2", 200), home("AH-3", 300)] });
  await cached("site", { name: "Almijara" });
  expect(reported).toEqual([]);
  // AH-2 is gone, AH-4 is new, and only AH-1 and AH-3 have changed.
  await changed("list", {
    items: [home("AH-1", 90), home("AH-3", 300, "under_offer"), home("AH-4", 400)],
  });
  await settled();
  expect(reported).toEqual([
    [
      { reference: "AH-1", price: 90 },
      { reference: "AH-3", status: "under_offer" },
    ],
  ]);
  await changed("list", { items: [home("AH-1", 90)] });
  await settled();
  expect(reported).toHaveLength(1);
});

test("changes soon after one another, or in two answers, are reported once", async () => {
  await cached("list", { items: [home("AH-1", 100), home("AH-2", 200)] });
  await cached("detail", home("AH-1", 100));
  await changed("list", { items: [home("AH-1", 90), home("AH-2", 150)] });
  await changed("detail", home("AH-1", 90));
  await changed("list", { items: [home("AH-1", 80), home("AH-2", 200)] });
  await settled();
  // AH-2 has its old price again.
  expect(reported).toEqual([[{ reference: "AH-1", price: 80 }]]);
});

test("answers that the page does not show are ignored", async () => {
  await cached("neighbour", { items: [home("AH-1", 100)] }, { unseen: true });
  served.left = { items: [home("AH-2", 100)] };
  await client.query({ queryKey: ["left"] });
  await changed("neighbour", { items: [home("AH-1", 90)] });
  await changed("left", { items: [home("AH-2", 90)] });
  await client.query({ queryKey: ["left"], staleTime: 0 });
  await settled();
  expect(reported).toEqual([]);
});

test("changes are described in the page's language", () => {
  const changes: OfferChange[] = [
    { reference: "AH-1042", price: 310_000 },
    { reference: "AH-1043", price: null, status: "under_offer" },
  ];
  expect(changesInWords(changes, "en")).toBe(
    "The price of AH-1042 is now €310,000. The price of AH-1043 is now on request. AH-1043 is now reserved.",
  );
  expect(changesInWords(changes, "es")).toBe(
    "El precio de AH-1042 es ahora 310.000\u00a0€. El precio de AH-1043 es ahora a consultar. AH-1043 está ahora reservado.",
  );
  const many = Array.from({ length: 12 }, () => ({ reference: "AH-1", price: 1 }));
  expect(changesInWords(many, "en")).toBe("12 homes on this page have changed.");
});
