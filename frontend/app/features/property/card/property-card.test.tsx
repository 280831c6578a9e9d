import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { createMemoryRouter, RouterProvider } from "react-router";
import { expect, test } from "vitest";
import type { PropertyCard as Card } from "#app/lib/api/types.ts";
import type { FoundIn } from "#app/lib/search/navigation-state.ts";
import { PropertyCard } from "./property-card.tsx";

function card(fields: Partial<Card>, path = "/", foundIn?: FoundIn): string {
  const property = {
    ref: "AH-1",
    title: "A home",
    location: { slug: "nerja", name: "Nerja" },
    kind: "villa",
    status: "for_sale",
    publishedAt: "2026-01-01T00:00:00Z",
    images: [],
    ...fields,
  } as Card;
  const element = (
    <QueryClientProvider client={new QueryClient()}>
      <PropertyCard property={property} sizes="100vw" {...(foundIn && { foundIn })} />
    </QueryClientProvider>
  );
  const router = createMemoryRouter([{ path: "*", element }], { initialEntries: [path] });
  return renderToStaticMarkup(<RouterProvider router={router} />);
}

test("a card shows the energy rating, or why there is none, as text", () => {
  for (const [energyRating, english, spanish] of [
    ["D", "Energy D", "Energía D"],
    ["exempt", "Energy: exempt", "Energía: exento"],
    ["in_process", "Energy: in process", "Energía: en trámite"],
  ] as const) {
    expect(card({ energyRating })).toContain(`<li>${english}</li>`);
    expect(card({ energyRating }, "/es")).toContain(`<li>${spanish}</li>`);
  }
});

test("a card of a property that needs no rating shows none", () => {
  for (const kind of ["land", "garage"] as const) {
    expect(card({ kind, energyRating: "exempt" })).not.toContain("Energ");
  }
  expect(card({})).not.toContain("Energ");
});

test("a card shows the price per square metre where its list is sorted by it", () => {
  const home = { price: 350_000, builtArea: 120 };
  const sortedBy = (sort?: "price-per-m2" | "price-asc"): FoundIn => ({
    list: "/property-for-sale",
    search: sort ? { sort } : {},
    position: 1,
  });
  expect(card(home, "/", sortedBy("price-per-m2"))).toContain("<li>€2,917 per m²</li>");
  expect(card(home, "/es", sortedBy("price-per-m2"))).toContain("<li>2.917\u00a0€ por m²</li>");
  for (const foundIn of [undefined, sortedBy(), sortedBy("price-asc")]) {
    expect(card(home, "/", foundIn)).not.toContain("per m²");
  }
  for (const unknown of [{ price: 350_000 }, { builtArea: 120, price: null }]) {
    expect(card(unknown, "/", sortedBy("price-per-m2"))).not.toContain("per m²");
  }
});

test("a card of a home that is sold no longer says that it is reduced", () => {
  expect(card({ status: "for_sale", reduced: true })).toContain(">Reduced<");
  const sold = card({ status: "sold", reduced: true });
  expect(sold).toContain("Sold");
  expect(sold).not.toContain("Reduced");
});
