import { writeFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { pmtilesFile } from "./pmtiles-file.ts";
import { ask, open, visitor } from "./site.ts";

/** The file of the site's vector tiles (`MAP_BASEMAP`), which the test creates. */
const file = process.env.MAP_BASEMAP;
const ADDRESS = "/map/basemap.pmtiles";

/** Returns tiles of the coast at some zoom levels, with a strip of land and a road in each. */
function coast(): Uint8Array {
  const tiles = [8, 9, 10, 11, 12].flatMap((z) => {
    const across = 2 ** z;
    const x = Math.floor(((180 - 3.95) / 360) * across);
    const y = Math.floor(0.3899 * across);
    const span = (middle: number) => [-2, -1, 0, 1, 2].map((step) => middle + step);
    return span(x).flatMap((column) => span(y).map((row) => ({ z, x: column, y: row })));
  });
  const land = [
    [0, 0],
    [4096, 0],
    [4096, 3000],
    [0, 3000],
  ] as const;
  const road = [
    [0, 1500],
    [4096, 1500],
  ] as const;
  return pmtilesFile(tiles, [
    { layer: "earth", kind: "earth", type: "polygon", points: land },
    { layer: "roads", kind: "highway", type: "line", points: road },
  ]);
}

test.skipIf(!file)("the door serves ranges of the basemap", async () => {
  const first = await ask(ADDRESS, { headers: { range: "bytes=0-126" } });
  expect(first.status).toBe(206);
  expect(await first.text()).toMatch(/^PMTiles/);
  const etag = first.headers.get("etag") ?? "";
  const same = await ask(ADDRESS, { headers: { range: "bytes=0-6", "if-range": etag } });
  expect(same.status).toBe(206);
});

/** Returns how many pixels of the map's middle have each colour. */
async function colours(page: Page): Promise<Map<string, number>> {
  const picture = await page.locator(".maplibregl-canvas").screenshot();
  const counts = await page.evaluate(
    async (bytes) => {
      const bitmap = await createImageBitmap(new Blob([Uint8Array.from(bytes)]));
      const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
      pen?.drawImage(bitmap, 0, 0);
      const pixels = pen?.getImageData(0, 0, bitmap.width, bitmap.height).data ?? [];
      const found: Record<string, number> = {};
      for (let at = 0; at < pixels.length; at += 4) {
        const colour = `${pixels[at]},${pixels[at + 1]},${pixels[at + 2]}`;
        found[colour] = (found[colour] ?? 0) + 1;
      }
      return found;
    },
    [...picture],
  );
  return new Map(Object.entries(counts));
}

/** Returns a design token's colour as numbers. */
function token(page: Page, name: string): Promise<string> {
  return page.evaluate((property) => {
    const pen = new OffscreenCanvas(1, 1).getContext("2d");
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.color = `var(${property})`;
    if (pen) pen.fillStyle = getComputedStyle(probe).color;
    probe.remove();
    pen?.fillRect(0, 0, 1, 1);
    return [...(pen?.getImageData(0, 0, 1, 1).data ?? [])].slice(0, 3).join();
  }, name);
}

beforeAll(async () => {
  if (file) await writeFile(file, coast());
});

test.skipIf(!file).each(["light", "dark"] as const)(
  "streets from the site's own tiles are drawn in its colours, %s",
  async (colorScheme) => {
    const page = await visitor({ colorScheme });
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await open(page, "/property-for-sale?view=map");
    await page.getByRole("button", { name: "Zoom in", exact: true }).waitFor();
    await page.getByText("© OpenStreetMap").waitFor();
    const [land, water, road] = await Promise.all(
      ["--sunk", "--water", "--sun"].map((name) => token(page, name)),
    );
    await expect
      .poll(async () => {
        const found = await colours(page);
        return [land, water, road].every((colour) => (found.get(colour ?? "") ?? 0) > 200);
      })
      .toBe(true);
    // No request went to another site.
    const { origin } = new URL(page.url());
    expect(asked.filter((url) => !url.startsWith(origin) && !url.startsWith("data:"))).toEqual([]);
    expect(asked.some((url) => url.endsWith(ADDRESS))).toBe(true);
  },
);

test.skipIf(!file)("a near view of the streets opens again as near as it was", async () => {
  const page = await visitor();
  const asked = { west: -3.883, south: 36.7495, east: -3.877, north: 36.7535 };
  const bbox = Object.values(asked).join();
  await open(page, `/property-for-sale?view=map&bbox=${bbox}`);
  await page.getByRole("button", { name: "Zoom in", exact: true }).waitFor();
  await page.getByRole("application", { name: "Map", exact: true }).focus();
  await page.keyboard.press("ArrowRight");
  await page.waitForURL((url) => ![null, bbox].includes(url.searchParams.get("bbox")));
  const seen = new URL(page.url()).searchParams.get("bbox") ?? "";
  const [west = 0, south = 0, east = 0, north = 0] = seen.split(",").map(Number);
  // The map fits the view, so that one side of it is as long as asked for.
  const across = (east - west) / (asked.east - asked.west);
  const along = (north - south) / (asked.north - asked.south);
  expect(Math.min(across, along)).toBeGreaterThan(0.95);
  expect(Math.min(across, along)).toBeLessThan(1.05);
});
