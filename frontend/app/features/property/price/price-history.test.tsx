import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import type { Offer, PropertyDetail } from "#app/lib/api/types.ts";
import { PriceHistory } from "./price-history.tsx";

/** Each step as it is read. */
function steps(history: Offer[], path = "/"): string[] {
  const html = renderToStaticMarkup(
    <MemoryRouter initialEntries={[path]}>
      <PriceHistory property={{ history } as PropertyDetail} />
    </MemoryRouter>,
  );
  return Array.from(html.matchAll(/<li[^>]*>(.*?)<\/li>/g), ([, step]) =>
    (step ?? "")
      .replace(/<[^>]+>/g, " ")
      .replace(/\s+/g, " ")
      .trim(),
  );
}

const offer = (at: string, price: number | null, status: Offer["status"] = "for_sale"): Offer => ({
  at: `${at}T10:00:00Z`,
  price,
  status,
});

const HISTORY = [
  offer("2026-01-12", 300_000),
  offer("2026-03-02", 285_000),
  offer("2026-04-20", 285_000, "under_offer"),
  offer("2026-05-04", 299_250),
];

test("each price is told with its day, by how much it moved, and what state the home was in", () => {
  expect(steps(HISTORY)).toEqual([
    "€299,250 4 May 2026 For Sale · Raised by €14,250 (5%)",
    "€285,000 20 April 2026 Reserved",
    "€285,000 2 March 2026 Reduced by €15,000 (5%)",
    "€300,000 12 January 2026 Listed",
  ]);
});

test("in Spanish it is written as in Spain", () => {
  const [now = "", ...before] = steps(HISTORY, "/es");
  expect(now).toMatch(/^299\.250 € 4 de mayo de 2026 En venta · Sube 14\.250 € \(5 %\)$/);
  expect(before.at(-1)).toBe("300.000 € 12 de enero de 2026 Publicación");
});

test("a price that never moved has no history", () => {
  expect(steps([offer("2026-01-12", 300_000), offer("2026-02-12", 300_000)])).toEqual([]);
});
