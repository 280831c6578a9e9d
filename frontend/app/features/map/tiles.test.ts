import { expect, test } from "vitest";
import { project } from "#app/lib/map/projection.ts";
import { fromScreen } from "./camera.ts";
import { tilesIn } from "./tiles.tsx";

test("tiles cover what is seen, and not much more", () => {
  const size = { width: 900, height: 700 };
  const camera = { ...project({ lat: 36.75, lng: -3.9 }), zoom: 12.4 };
  const tiles = tilesIn(camera, size);
  for (const pixel of [
    { x: 0, y: 0 },
    { x: 899, y: 0 },
    { x: 450, y: 350 },
    { x: 899, y: 699 },
  ]) {
    const { x, y } = fromScreen(camera, size, pixel);
    const under = tiles.filter(
      (tile) => Math.floor(x * 2 ** tile.z) === tile.x && Math.floor(y * 2 ** tile.z) === tile.y,
    );
    expect(under).toHaveLength(1);
  }
  expect(new Set(tiles.map(({ z }) => z))).toEqual(new Set([12]));
  expect(tiles.length).toBeLessThanOrEqual(36);
});

test("there are no tiles beyond the world", () => {
  const tiles = tilesIn({ x: 0.01, y: 0.99, zoom: 3 }, { width: 1200, height: 900 });
  for (const { x, y } of tiles) {
    expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
    expect(Math.max(x, y)).toBeLessThan(8);
  }
});
