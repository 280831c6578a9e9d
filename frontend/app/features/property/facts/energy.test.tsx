import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import type { PropertyDetail } from "#app/lib/api/types.ts";
import { Energy } from "./energy.tsx";

function label(energy: PropertyDetail["energy"], path = "/"): string {
  return renderToStaticMarkup(
    <MemoryRouter initialEntries={[path]}>
      <Energy property={{ energy } as PropertyDetail} />
    </MemoryRouter>,
  );
}

/** What each arrow says, and how many rows of 1.75rem below the first it stands. */
function arrows(html: string): [string, number][] {
  const found = html.matchAll(
    /style="margin-top:([\d.]+)(?:rem)?" class="energy-arrow">(.*?)<\/span>/g,
  );
  return Array.from(found, ([, top, text]) => [
    (text ?? "").replace(/<[^>]+>/, " "),
    Number(top) / 1.75,
  ]);
}

test("the label says both figures, each in the row of its letter, and says them to who can't see it", () => {
  const html = label({ rating: "C", consumption: 98.4, emissions: 17, emissionsRating: "B" });
  expect(arrows(html)).toEqual([
    ["98.4 C", 2],
    ["17 B", 1],
  ]);
  expect(html).toContain(
    "Rated C. Energy consumption: 98.4 kWh/m² a year. Emissions: 17 kg CO₂/m² a year. Emissions rated B.",
  );
  expect(label({ rating: "C", consumption: 98.4 }, "/es")).toContain("98,4");
});

test("a figure without its letter has no row, and a letter without its figure stands in its own", () => {
  const html = label({ rating: "G", emissions: 60 });
  expect(arrows(html)).toEqual([["G G", 6]]);
  expect(html).toContain("60 kg CO₂/m² a year");
});

test("a home without a certificate says why, and shows no arrow", () => {
  for (const [rating, words] of [
    ["in_process", "In process"],
    ["exempt", "Exempt"],
  ] as const) {
    const html = label({ rating });
    expect(html).toContain(words);
    expect(arrows(html)).toEqual([]);
  }
  expect(label(null)).toContain("Not stated");
});
