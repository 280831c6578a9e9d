import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import type { PropertyDetail } from "#app/lib/api/types.ts";
import { Rooms } from "./rooms.tsx";

const PLAN = { file: "f", version: "1", width: 1600, height: 1200, alt: "A plan" };

function section(property: Partial<PropertyDetail>, path = "/"): string {
  return renderToStaticMarkup(
    <MemoryRouter initialEntries={[path]}>
      <Rooms property={{ title: "A flat", ...property } as PropertyDetail} />
    </MemoryRouter>,
  );
}

/** Returns the cells of each row of the table body. */
function rows(html: string): string[][] {
  const body = /<tbody>(.*)<\/tbody>/.exec(html)?.[1] ?? "";
  return Array.from(body.matchAll(/<tr>(.*?)<\/tr>/g), ([, row]) =>
    Array.from((row ?? "").matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g), ([, cell]) => cell ?? ""),
  );
}

test("rooms are in the editors' order, numbered where there are several of a kind", () => {
  const rooms = [
    { kind: "bedroom", area: 12.5 },
    { kind: "kitchen" },
    { kind: "bedroom", area: 9 },
  ] as const;
  const particulars = { rooms: [...rooms] };
  expect(rows(section({ particulars }))).toEqual([
    ["Bedroom 1", "12.5\u00a0m²"],
    ["Kitchen", ""],
    ["Bedroom 2", "9\u00a0m²"],
  ]);
  expect(rows(section({ particulars }, "/es"))[0]).toEqual(["Dormitorio 1", "12,5\u00a0m²"]);
});

test("floors are shown where there are several", () => {
  const rooms = (...floors: string[]) => ({
    rooms: floors.map((floor) => ({ kind: "hall", floor }) as const),
  });
  expect(rows(section({ particulars: rooms("0", "1") }))).toEqual([
    ["Hall 1", "Ground", ""],
    ["Hall 2", "1", ""],
  ]);
  expect(rows(section({ particulars: rooms("0") }))).toEqual([["Hall", ""]]);
});

test("a plan leads to its picture, and its heading says what there is", () => {
  const particulars = { rooms: [{ kind: "hall" } as const] };
  expect(section({ floorPlan: PLAN })).toContain('href="/media/f/1/1600.jpg"');
  expect(section({ floorPlan: PLAN })).toContain(">Floor plan</h2>");
  expect(section({ floorPlan: PLAN, particulars }, "/es")).toContain(">Estancias y plano</h2>");
  expect(section({ particulars })).toContain(">Rooms</h2>");
  expect(section({})).toBe("");
});
