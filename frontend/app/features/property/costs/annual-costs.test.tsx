import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import type { PropertyDetail } from "#app/lib/api/types.ts";
import { AnnualCosts } from "./annual-costs.tsx";

/** Each row's words, cell by cell. */
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

test("community fees, IBI and rubbish are told a year, and their sum a month too", () => {
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

test("what is unknown is left out, no sum claims to hold it, and one alone has none", () => {
  expect(rows({ communityFees: 960, garbage: 120 }).at(-1)?.[0]).toBe("Total without IBI");
  expect(rows({ ibi: 0 })).toEqual([["IBI (property tax)", "€0"]]);
  expect(rows({})).toEqual([]);
});
