import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import type { PropertyDetail } from "#app/lib/api/types.ts";
import { Energy } from "./energy.tsx";

function label(
  energy: PropertyDetail["energy"],
  path = "/",
  kind: PropertyDetail["kind"] = "villa",
): string {
  return renderToStaticMarkup(
    <MemoryRouter initialEntries={[path]}>
      <Energy property={{ energy, kind } as PropertyDetail} />
    </MemoryRouter>,
  );
}

/** Returns the text of each arrow, and its row: the number of rows of 1.75rem above it. */
function arrows(html: string): [string, number][] {
  const found = html.matchAll(
    /style="margin-top:([\d.]+)(?:rem)?" class="energy-arrow">(.*?)<\/span>/g,
  );
  return Array.from(found, ([, top, text]) => [
    (text ?? "").replace(/<[^>]+>/, " "),
    Number(top) / 1.75,
  ]);
}

test("the label shows both figures, each in the row of its letter, and has them as text too", () => {
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

test("a figure without its letter has no row, and a letter without its figure is in its own", () => {
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

test("an exempt home states the reason from the decree, in either language", () => {
  const exempt = { rating: "exempt", exemption: "small_detached" } as const;
  expect(label(exempt)).toContain(
    "Detached building with less than 50 m² of usable floor area (Royal Decree 390/2021, article 3.2).",
  );
  expect(label(exempt, "/es")).toContain(
    "Edificio independiente de menos de 50 m² útiles (Real Decreto 390/2021, artículo 3.2).",
  );
});

test("a property that needs no rating has no label", () => {
  for (const kind of ["land", "garage"] as const) {
    expect(label({ rating: "exempt" }, "/", kind)).toBe("");
    expect(label(null, "/", kind)).toBe("");
  }
});
