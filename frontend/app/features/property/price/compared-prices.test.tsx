import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import type { ComparableHomes, PropertyDetail } from "#app/lib/api/types.ts";
import { comparableQuery } from "#app/lib/property/queries.ts";
import { Compared } from "./compared.tsx";
import { PriceComparison } from "./compared-prices.tsx";
import { PriceRange } from "./price-range.tsx";

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

/** Returns the markup that is shown in place of the comparison until it is loaded. */
function placeholderMarkup(
  fields: Partial<PropertyDetail>,
  path = "/",
  client = new QueryClient(),
): string {
  const property = {
    ref: "AH-1001",
    location: HOMES.location,
    propertyType: "House",
    kind: "villa",
    price: 285_000,
    status: "for_sale",
    ...fields,
  } as PropertyDetail;
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <MemoryRouter initialEntries={[path]}>
        <Compared property={property} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

test("without a script there is a link to the homes of its type and place, hidden otherwise", () => {
  const link = (html: string) =>
    /<a class="([^"]*)" href="([^"]*)"[^>]*>(.*)<\/a>/.exec(html)?.slice(1);
  const look = "text-link hidden noscript:block";
  expect(link(placeholderMarkup({}))).toEqual([
    look,
    "/property-for-sale/nerja?propertyType=House",
    "Compare the prices of houses in Nerja",
  ]);
  expect(link(placeholderMarkup({ propertyType: "Apartment", kind: "penthouse" }, "/es"))).toEqual([
    look,
    "/es/property-for-sale/nerja?propertyType=Apartment",
    "Compare los precios de pisos en Nerja",
  ]);
  for (const none of [{ status: "sold" }, { price: null }, { kind: "garage" }] as const) {
    expect(placeholderMarkup(none)).toBe("");
  }
});

test("a comparison that was loaded before does not wait until the visitor comes near again", () => {
  const client = new QueryClient();
  client.setQueryData(comparableQuery("en", "AH-1001").queryKey, {});
  expect(placeholderMarkup({}, "/", client)).not.toContain("<a ");
  // The other language has its own.
  expect(placeholderMarkup({}, "/es", client)).toContain("<a ");
});

/** Returns the position of the home in the drawing, and the texts of the drawing. */
function drawing(homes: Partial<ComparableHomes>): { at: number; texts: string[] } {
  const svg = renderToStaticMarkup(
    <MemoryRouter>
      <PriceRange homes={{ ...HOMES, ...homes }} />
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
