import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import type { ComparableHomes, PropertyDetail } from "#app/lib/api/types.ts";
import { comparableQuery } from "./comparable.ts";
import { ComparedPrices, PriceComparison } from "./compared-prices.tsx";
import { RangeDrawing } from "./price-range.tsx";

const HOMES: ComparableHomes = {
  location: { slug: "nerja", name: "Nerja" },
  propertyType: "Apartment",
  price: 285_000,
  homes: 12,
  sold: 0,
  soldSince: "2024-11-25T10:00:00Z",
  lowest: 210_000,
  highest: 420_000,
  median: 300_000,
  leastArea: 84,
  mostArea: 156,
};

const html = (homes: Partial<ComparableHomes>, path: string) =>
  renderToStaticMarkup(
    <MemoryRouter initialEntries={[path]}>
      <PriceComparison homes={{ ...HOMES, ...homes }} />
    </MemoryRouter>,
  );

/** Returns the text of each paragraph. */
const paragraphs = (homes: Partial<ComparableHomes>, path = "/") =>
  Array.from(html(homes, path).matchAll(/<p(?: [^>]*)?>(.*?)<\/p>/g), ([, text = ""]) =>
    text.replace(/[\s\u00a0]+/g, " "),
  );

test("a price is compared with those of comparable homes, and the text states which homes these are", () => {
  expect(paragraphs({})).toEqual([
    "The asking prices of 12 comparable homes in Nerja run from €210,000 to €420,000; the median is €300,000. At €285,000, this one is 5% below that.",
    "Apartments of 84 to 156 m² in Nerja that are for sale or under offer with us. These are asking prices; what was paid in the end may differ.",
  ]);
  expect(paragraphs({ price: 360_000 })[0]).toMatch(/this one is 20% above that\.$/);
  expect(paragraphs({ price: 300_900 })[0]).toMatch(/this one is level with that\.$/);
  expect(paragraphs({ sold: 1 })[1]).toContain(
    "with us, and one sold since 25 November 2024, at the last asking price.",
  );
  expect(paragraphs({ sold: 3 })[1]).toContain("and 3 sold since 25 November 2024");
});

test("in Spanish it is written as in Spain", () => {
  expect(paragraphs({ sold: 2 }, "/es")).toEqual([
    "Los precios pedidos por 12 viviendas comparables en Nerja van de 210.000 € a 420.000 €; la mediana es de 300.000 €. Esta, por 285.000 €, está un 5 % por debajo.",
    "Pisos de 84 a 156 m² en Nerja, en venta o con reserva en nuestra web, y 2 ventas desde el 25 de noviembre de 2024, con el último precio pedido. Son precios de oferta; lo que se pagó al final puede ser distinto.",
  ]);
});

/** Returns the markup of a home's section, if the loader fetched this comparison. */
function sectionMarkup(
  homes: ComparableHomes | null,
  fields: Partial<PropertyDetail> = {},
): string {
  const client = new QueryClient();
  const { queryKey } = comparableQuery("en", "AH-1001");
  client.setQueryData(queryKey, { body: homes, sequence: 1, tags: [] });
  const property = {
    ref: "AH-1001",
    kind: "villa",
    price: 285_000,
    status: "for_sale",
    ...fields,
  } as PropertyDetail;
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <ComparedPrices property={property} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

test("the document has the comparison's text, and the space of its drawing", () => {
  const html = sectionMarkup(HOMES);
  expect(html).toContain("12 comparable homes in Nerja");
  expect(html).toMatch(/<svg viewBox="0 0 400 64"[^>]*><\/svg>/);
  expect(sectionMarkup(null)).toBe("");
});

test("only the price of a home that is offered is compared", () => {
  for (const none of [{ status: "sold" }, { price: null }, { kind: "garage" }] as const) {
    expect(sectionMarkup(HOMES, none)).toBe("");
  }
});

test("the answer has the same bytes all day", () => {
  const keep = comparableQuery("en", "AH-1001").meta?.keep as (body: unknown) => unknown;
  expect(keep({ homes: HOMES, sequence: 1 })).toEqual({ ...HOMES, soldSince: "2024-11-25" });
  expect(keep({ homes: null, sequence: 1 })).toBe(null);
});

/** Returns the position of the home in the drawing, and the texts of the drawing. */
function drawing(homes: Partial<ComparableHomes>): { at: number; texts: string[] } {
  const svg = renderToStaticMarkup(
    <MemoryRouter>
      <RangeDrawing homes={{ ...HOMES, ...homes }} />
    </MemoryRouter>,
  );
  const at = Number(/<circle cx="([\d.]+)"/.exec(svg)?.[1]);
  return { at, texts: Array.from(svg.matchAll(/<text[^>]*>(.*?)<\/text>/g), ([, t]) => t ?? "") };
}

test("the drawing has room for a price outside the range, and for a range without width", () => {
  expect(drawing({}).texts).toEqual(["Median", "€210,000", "€420,000"]);
  expect(drawing({ price: 100_000 }).at).toBe(9);
  expect(drawing({ price: 900_000 }).at).toBe(391);
  // The labels would overlap, so they are omitted: the sentence states them.
  expect(drawing({ price: 5_000_000 }).texts).toEqual(["Median"]);
  const same = { lowest: 300_000, highest: 300_000, median: 300_000, price: 300_000 };
  expect(drawing(same)).toEqual({ at: 200, texts: ["Median"] });
});
