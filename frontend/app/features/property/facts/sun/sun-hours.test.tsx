import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import type { Orientation } from "#app/lib/api/types.ts";
import SunHours from "./sun-hours.tsx";

const NERJA = { lat: 36.7468, lng: -3.8743 };

function words(facing: Orientation, path = "/", terrace = true): string {
  const html = renderToStaticMarkup(
    <MemoryRouter initialEntries={[path]}>
      <SunHours spot={NERJA} facing={facing} terrace={terrace} />
    </MemoryRouter>,
  );
  return html
    .replace(/<svg.*?<\/svg>/s, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");
}

test("the hours of sun are stated as text, in both languages", () => {
  const english = words("sw");
  expect(english).toContain("The main terrace faces south-west.");
  expect(english).toContain("21 December Sun from about 10:00 until sunset at 18:03.");
  expect(english).toContain("21 June Sun from about 13:25 until sunset at 21:38.");
  const spanish = words("sw", "/es");
  expect(spanish).toContain("La terraza principal da al suroeste.");
  expect(spanish).toContain(
    "21 de diciembre Sol desde las 10:00, aproximadamente, hasta la puesta de sol, a las 18:03.",
  );
});

test("a side without sun says so, and one with two periods of sun states both", () => {
  const north = words("n", "/", false);
  expect(north).toContain("The main rooms face north.");
  expect(north).toContain("21 December No direct sun.");
  expect(north).toContain(
    "21 June Sun from sunrise at 6:57 until about 10:40 and again from about 17:55 until sunset at 21:38.",
  );
  const spanish = words("n", "/es");
  expect(spanish).toContain("21 de diciembre Sin sol directo.");
  expect(spanish).toContain("Sol desde el amanecer, a las 6:57, hasta las 10:40, aproximadamente");
  expect(words("s", "/es")).toContain("Sol desde las 10:40 hasta las 17:55, aproximadamente.");
});

test("the text names what the calculation ignores", () => {
  expect(words("s")).toContain("hills, buildings, trees and awnings");
  expect(words("s", "/es")).toContain("montes, edificios, árboles y toldos");
});
