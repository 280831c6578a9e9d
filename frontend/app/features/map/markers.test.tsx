import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { createMemoryRouter, RouterProvider } from "react-router";
import { expect, test } from "vitest";
import { EVERYTHING } from "#app/lib/search/search-params.ts";
import { paddingAround, START } from "./bounds.ts";
import { DrawnMap } from "./drawn-map.tsx";
import type { LiveMap } from "./engine.ts";
import { Markers } from "./markers.tsx";

const clusters = [{ lat: 36.75, lng: -3.95, count: 1_250, bounds: START }];
const answer = { clusters, pins: [], sequence: 1, total: 1_250, unplaced: 0 };
const noop = () => undefined;

function shown(element: ReactNode, path: string): string {
  const router = createMemoryRouter([{ path: "*", element }], { initialEntries: [path] });
  return renderToStaticMarkup(<RouterProvider router={router} />);
}

test("the map in the HTML keeps its homes clear of the interactive map's buttons, unless its bounds fill it", () => {
  const drawn = (toTheEdge: boolean) =>
    shown(
      <DrawnMap search={EVERYTHING} answer={answer} bounds={START} toTheEdge={toTheEdge} />,
      "/property-for-sale",
    );
  const { top, right, bottom, left } = paddingAround(false);
  expect(drawn(false)).toContain(`top:calc(50% + ${(top - bottom) / 2}px +`);
  expect(drawn(false)).toContain(`left:calc(50% + ${(left - right) / 2}px +`);
  expect(drawn(false)).toContain(`(100cqw - ${left + right}px)`);
  expect(drawn(true)).toContain("left:calc(50% + 0px +");
});

test.each([
  [
    "drawn",
    <DrawnMap key="" search={EVERYTHING} answer={answer} bounds={START} toTheEdge={false} />,
  ],
  [
    "interactive",
    <Markers
      key=""
      map={{} as LiveMap}
      clusters={clusters}
      pins={[]}
      open={undefined}
      stale={false}
      inert={false}
      onCluster={noop}
      onPin={noop}
    />,
  ],
])("a cluster on the %s map formats its number for the language", (_, map) => {
  expect(shown(map, "/property-for-sale")).toMatch(/aria-label="1,250 properties[^>]*>1,250</);
  expect(shown(map, "/es/property-for-sale")).toMatch(/aria-label="1\.250 inmuebles[^>]*>1\.250</);
});
