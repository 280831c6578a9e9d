import { expect, test } from "vitest";
import type { HistoryEntry, PropertyDetail } from "#app/lib/api/types.ts";
import { forSaleAgainSince } from "./history.ts";
import { propertyQuery } from "./queries.ts";

const entry = (at: string, price: number | null, status: HistoryEntry["status"] = "for_sale") => ({
  at,
  price,
  status,
});

test("a home is for sale again since the first change after it was last reserved or sold", () => {
  const first = entry("2026-01-01", 200_000);
  const back = entry("2026-03-01", 200_000);
  const cheaper = entry("2026-04-01", 190_000);
  for (const status of ["under_offer", "sale_agreed", "pending", "sold"] as const) {
    const taken = entry("2026-02-01", 200_000, status);
    expect(forSaleAgainSince([first, taken, back, cheaper])).toBe(back.at);
    expect(forSaleAgainSince([taken, back])).toBe(back.at);
    expect(forSaleAgainSince([first, taken, back, taken])).toBeUndefined();
  }
  expect(forSaleAgainSince([first, cheaper])).toBeUndefined();
  expect(forSaleAgainSince([])).toBeUndefined();
});

test("a page knows it even if only the newest changes are kept", () => {
  const taken = entry("2026-01-01", 200_000, "sold");
  const back = entry("2026-02-01", 200_000);
  const nextEntries = ["03", "04", "05", "06", "07"].map((month, index) =>
    entry(`2026-${month}-01`, 190_000 - index),
  );
  const keep = propertyQuery("en", "AH-1").meta?.keep as (body: unknown) => PropertyDetail;
  const kept = keep({ ref: "AH-1", similar: [], history: [taken, back, ...nextEntries] });
  expect(kept.forSaleAgainSince).toBe(back.at);
  expect(kept.history).not.toContain(back);
});
