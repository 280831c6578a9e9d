import { QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import type { HistoryEntry, PropertyDetail } from "#app/lib/api/types.ts";
import { propertyQuery } from "#app/lib/property/queries.ts";
import { makeQueryClient } from "#app/lib/query/client.ts";
import { PriceHistory } from "./price-history.tsx";

/** Returns what a page retains of a home with this history. */
function retained(history: HistoryEntry[]): PropertyDetail {
  const keep = propertyQuery("en", "AH-1").meta?.keep as (body: unknown) => PropertyDetail;
  return keep({ ref: "AH-1", similar: [], history });
}

/** Renders the price history section of a home with this history. */
function section(history: HistoryEntry[], path = "/"): string {
  const client = makeQueryClient(() => Promise.reject(new Error("nobody is asked")), 0);
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <MemoryRouter initialEntries={[path]}>
        <PriceHistory property={retained(history)} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

/** Returns the text of each step. */
function steps(history: HistoryEntry[], path?: string): string[] {
  return Array.from(section(history, path).matchAll(/<li[^>]*>(.*?)<\/li>/g), ([, step]) =>
    (step ?? "")
      .replace(/<[^>]+>/g, " ")
      .replace(/\s+/g, " ")
      .trim(),
  );
}

const offer = (
  at: string,
  price: number | null,
  status: HistoryEntry["status"] = "for_sale",
): HistoryEntry => ({
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

test("each price is shown with its date, its change, and the home's status", () => {
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

test("a price that never changed has no history", () => {
  expect(steps([offer("2026-01-12", 300_000), offer("2026-02-12", 300_000)])).toEqual([]);
});

/** Returns one price a month since January 2020, each 1,000 lower. */
const months = (count: number) =>
  Array.from({ length: count }, (_, month) =>
    offer(
      `${2020 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, "0")}-01`,
      500_000 - month * 1_000,
    ),
  );

test("a document has only the newest steps of a long history, and states how many were before", () => {
  const history = months(60);
  expect(steps(history)).toEqual([
    "€441,000 1 December 2024 Reduced by €1,000 (0.2%)",
    "€442,000 1 November 2024 Reduced by €1,000 (0.2%)",
    "€443,000 1 October 2024 Reduced by €1,000 (0.2%)",
  ]);
  expect(section(history)).toContain("Earlier changes (57)");
  expect(section(history, "/es")).toContain("Cambios anteriores (57)");
  expect(section(months(4))).not.toContain("<details");
  expect(steps(months(4))).toHaveLength(4);
});

test("a long history takes no more bytes than its newest steps, as markup and as API data", () => {
  const size = (history: HistoryEntry[]) => {
    const answer = JSON.stringify(retained(history).history);
    return Buffer.byteLength(section(history, "/es") + answer);
  };
  expect(size(months(4))).toBeLessThan(1_500);
  expect(size(months(100))).toBeLessThan(1_700);
});

test("the oldest step shown is compared with the last known price", () => {
  const history = [...months(2), offer("2020-03-01", null), ...months(6).slice(3)];
  expect(steps(history)).toHaveLength(3);
  expect(steps(history).at(-1)).toBe("€497,000 1 April 2020 Reduced by €2,000 (0.4%)");
});
