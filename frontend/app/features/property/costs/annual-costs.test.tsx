import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import type { PropertyDetail } from "#app/lib/api/types.ts";
import { AnnualCosts } from "./annual-costs.tsx";

/** Returns the text of each cell by row. */
function rows(costs: PropertyDetail["annualCosts"], path = "/"): string[][] {
  const html = renderToStaticMarkup(
    <MemoryRouter initialEntries={[path]}>
      <AnnualCosts costs={costs} />
    </MemoryRouter>,
  );
  return Array.from(html.matchAll(/<tr>(.*?)<\/tr>/g), ([, row]) =>
    Array.from((row ?? "").matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g), ([, cell]) =>
      (cell ?? "")
        .replace(/<[^>]+>/g, " ")
        .replace(/\s+/g, " ")
        .trim(),
    ),
  );
}

test("community fees, IBI and rubbish are shown per year, and their total per month too", () => {
  expect(rows({ communityFees: 960, ibi: 480, garbage: 120 })).toEqual([
    ["Community fees", "€960"],
    ["IBI (property tax)", "€480"],
    ["Rubbish collection", "€120"],
    ["Total", "€1,560 about €130 a month"],
  ]);
  expect(rows({ communityFees: 960, ibi: 480, garbage: 120 }, "/es")).toEqual([
    ["Comunidad", "960 €"],
    ["IBI", "480 €"],
    ["Basura", "120 €"],
    ["Total", "1.560 € unos 130 € al mes"],
  ]);
});

test("unknown costs are omitted, the total says so, and a single cost has no total", () => {
  expect(rows({ communityFees: 960, garbage: 120 }).at(-1)?.[0]).toBe("Total without IBI");
  expect(rows({ ibi: 0 })).toEqual([["IBI (property tax)", "€0"]]);
  expect(rows({})).toEqual([]);
});
