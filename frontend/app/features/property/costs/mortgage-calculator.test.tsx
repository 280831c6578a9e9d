import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import type { MortgageFigures } from "#app/lib/property/figures.ts";
import { MortgageCalculator } from "./mortgage-calculator.tsx";

const FIGURES = { sources: [], years: 25, annualRate: 3.25 } as unknown as MortgageFigures;

test.each([
  ["/", "at 3.25% a year"],
  ["/es", "3,25\u00a0% anual"],
])("the rate is shown at %s with all its decimals", (path, words) => {
  const html = renderToStaticMarkup(
    <MemoryRouter initialEntries={[path]}>
      <MortgageCalculator figures={FIGURES} price="250000" onPrice={() => {}} deposit={75_000} />
    </MemoryRouter>,
  );
  expect(html).toContain(words);
});
