import { describe, expect, test } from "vitest";
import { roundedPath, spotsOf } from "./line.ts";
import { boundsOf, project, unproject, within, worldSize } from "./projection.ts";
import { FRAME, SHORE } from "./shore.gen.ts";
import { simplify } from "./simplify.ts";
import { TOWNS } from "./towns.ts";

describe("the projection", () => {
  test("is Web Mercator", () => {
    expect(project({ lat: 0, lng: 0 })).toEqual({ x: 0.5, y: 0.5 });
    // The square ends where every slippy map does, and Torrox is on its tile 10/500/399.
    expect(project({ lat: 85.051128779806, lng: 180 }).y).toBeCloseTo(0, 12);
    const { x, y } = project({ lat: 36.758, lng: -3.953 });
    expect([Math.floor(x * 1024), Math.floor(y * 1024)]).toEqual([500, 399]);
  });

  test("is inverted by unproject", () => {
    for (const spot of [...TOWNS, { lat: -33.9, lng: 151.2 }, { lat: 80, lng: -179 }]) {
      const back = unproject(project(spot));
      expect(back.lat).toBeCloseTo(spot.lat, 9);
      expect(back.lng).toBeCloseTo(spot.lng, 9);
    }
  });

  test("each zoom level doubles the size", () => {
    expect(worldSize(0)).toBe(256);
    expect(worldSize(11)).toBe(2 * worldSize(10));
  });

  test("bounds contain the coordinates that they were made from", () => {
    const bounds = boundsOf(TOWNS);
    for (const town of TOWNS) expect(bounds && within(bounds, town)).toBe(true);
    expect(boundsOf([])).toBeUndefined();
  });
});

describe("the shore", () => {
  const shore = spotsOf(SHORE);

  test("runs from one edge of the map's frame to the other", () => {
    expect(shore[0]?.lng).toBeLessThan(FRAME.west);
    expect(shore.at(-1)?.lng).toBeGreaterThan(FRAME.east);
  });

  test("has the towns on its northern side", () => {
    for (const town of TOWNS) {
      const east = shore.findIndex(({ lng }) => lng > town.lng);
      const [from, to] = [shore[east - 1], shore[east]];
      if (!from || !to) throw new Error(`${town.name} lies beyond the shore`);
      const share = (town.lng - from.lng) / (to.lng - from.lng);
      // Within the precision of the map's data.
      expect(town.lat).toBeGreaterThan(from.lat + share * (to.lat - from.lat) - 0.004);
    }
  });

  test("keeps its ends when it is rounded", () => {
    const square = [
      { x: 0, y: 0 },
      { x: 10, y: 0 },
      { x: 10, y: 10 },
    ];
    expect(roundedPath(square)).toBe("M0 0Q10 0 10 5L10 10");
    expect(roundedPath([])).toBe("");
  });
});

describe("a simplified line", () => {
  const circle = Array.from({ length: 500 }, (_, at): [number, number] => [
    100 * Math.cos((at * Math.PI) / 250),
    100 * Math.sin((at * Math.PI) / 250),
  ]);
  const area = (ring: readonly (readonly [number, number])[]) =>
    Math.abs(
      ring.reduce((sum, [x, y], at) => {
        const [nextX, nextY] = ring[(at + 1) % ring.length] ?? [0, 0];
        return sum + (x * nextY - nextX * y) / 2;
      }, 0),
    );

  test("has the requested number of corners and nearly the same area", () => {
    const ring = simplify(circle, { most: 60, least: 0, closed: true });
    expect(ring).toHaveLength(60);
    expect(area(ring) / area(circle)).toBeGreaterThan(0.98);
    for (const corner of ring) expect(circle).toContain(corner);
  });

  test("drops insignificant corners and keeps its ends", () => {
    const line: [number, number][] = [
      [0, 0],
      [1, 0.001],
      [2, 0],
      [2, 5],
    ];
    expect(simplify(line, { most: 60, least: 0.1 })).toEqual([
      [0, 0],
      [2, 0],
      [2, 5],
    ]);
  });

  test("keeps at least three corners, or both ends of an open line", () => {
    expect(simplify(circle, { most: 1, least: 1e9, closed: true })).toHaveLength(3);
    expect(simplify(circle, { most: 1, least: 1e9 })).toEqual([circle[0], circle.at(-1)]);
  });
});
