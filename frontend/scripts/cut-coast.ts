// Cuts the coastline and boundaries of the drawn maps out of es-atlas, the boundaries of the Instituto
// Geográfico Nacional (CC BY 4.0: wherever they are drawn, the attribution is too). Run by hand from the
// folder `frontend` when the frame or the atlas changes; the output is committed:
//
//     node scripts/cut-coast.ts
import { readFileSync, writeFileSync } from "node:fs";
import { type Bounds, boundsOf, type Spot, within } from "../app/lib/map/projection.ts";
import { simplify } from "../app/lib/map/simplify.ts";

/** The drawn area: from Fuengirola to Motril, with as much inland as a tall window shows. */
const FRAME: Bounds = { west: -4.75, south: 36.2, east: -3.3, north: 37.25 };
/** The minimum area of a shape in grid squares of the atlas: a smaller one is a rounding error. */
const MIN_AREA = 1.5;

type Cell = readonly [x: number, y: number];
type Arcs = number | readonly Arcs[];
interface Municipality {
  readonly id?: string;
  readonly arcs?: Arcs;
  readonly properties?: { readonly name?: string };
}
interface Atlas {
  readonly transform: { readonly scale: Cell; readonly translate: Cell };
  readonly arcs: readonly (readonly Cell[])[];
  readonly objects: { readonly municipalities: { readonly geometries: readonly Municipality[] } };
}

const file = new URL("../node_modules/es-atlas/es/municipalities.json", import.meta.url);
const atlas = JSON.parse(readFileSync(file, "utf8")) as Atlas;
const { scale, translate } = atlas.transform;

/** The grid starts at the frame's corner, which keeps its numbers small. */
const origin: Cell = [
  Math.floor((FRAME.west - translate[0]) / scale[0]),
  Math.floor((FRAME.south - translate[1]) / scale[1]),
];
const spot = ([x, y]: Cell): Spot => ({
  lng: (x + origin[0]) * scale[0] + translate[0],
  lat: (y + origin[1]) * scale[1] + translate[1],
});

const lines = atlas.arcs.map((arc) => {
  let [x, y] = [-origin[0], -origin[1]];
  return arc.map(([dx, dy]): Cell => {
    x += dx;
    y += dy;
    return [x, y];
  });
});

const arcsOf = (arcs: Arcs | undefined): number[] =>
  typeof arcs === "number" ? [arcs < 0 ? ~arcs : arcs] : (arcs ?? []).flatMap(arcsOf);
const cells = (arc: number) => lines[arc] ?? [];
const inFrame = (line: readonly Cell[]) => line.some((cell) => within(FRAME, spot(cell)));

const municipalities = atlas.objects.municipalities.geometries.filter(({ arcs }) => arcs);
const uses = new Map<number, number>();
for (const { arcs } of municipalities) {
  for (const arc of arcsOf(arcs)) uses.set(arc, (uses.get(arc) ?? 0) + 1);
}

/** Joins lines that share ends. */
function join(parts: (readonly Cell[])[]): Cell[][] {
  const chains = parts.map((part) => [...part]);
  const end = (cell: Cell | undefined) => String(cell);
  for (let joined = true; joined; ) {
    joined = false;
    for (const chain of chains) {
      const next = chains.findIndex(
        (other) => other !== chain && end(other[0]) === end(chain.at(-1)),
      );
      if (next < 0) continue;
      chain.push(...(chains.splice(next, 1)[0] ?? []).slice(1));
      joined = true;
      break;
    }
  }
  return chains;
}

const outer = [...uses].filter(([arc, times]) => times === 1 && inFrame(cells(arc)));
const [shore, ...islands] = join(outer.map(([arc]) => cells(arc))).sort(
  (a, b) => b.length - a.length,
);
if (!shore) throw new Error("no shore lies in the frame");
const eastward = (shore[0]?.[0] ?? 0) < (shore.at(-1)?.[0] ?? 0) ? shore : shore.reverse();

const borders = [...uses]
  .filter(([arc, times]) => times > 1 && inFrame(cells(arc)))
  .map(([arc]) => simplify(cells(arc), { most: Number.POSITIVE_INFINITY, least: MIN_AREA }));

/** The position of each municipality's name, the middle of its bounding box, and the size of that box. */
const names = municipalities.flatMap(({ arcs, properties }) => {
  const box = boundsOf(arcsOf(arcs).flatMap((arc) => cells(arc).map(spot)));
  if (!box || !properties?.name) return [];
  const middle = { lat: (box.south + box.north) / 2, lng: (box.west + box.east) / 2 };
  if (!within(FRAME, middle)) return [];
  const size = Math.round((box.east - box.west) * (box.north - box.south) * 1e4);
  return [{ name: properties.name, size, ...middle }];
});
names.sort((a, b) => b.size - a.size || a.name.localeCompare(b.name));

/** Converts a line to steps on the grid, the first from its corner. */
const steps = (line: readonly Cell[]) =>
  line.flatMap(([x, y], at) => {
    const [fromX, fromY] = line[at - 1] ?? [0, 0];
    return [x - fromX, y - fromY];
  });
const head =
  "// Made by scripts/cut-coast.ts. © Instituto Geográfico Nacional de España, CC BY 4.0.\n";
const corner = spot([0, 0]);
const grid = { west: corner.lng, south: corner.lat, width: scale[0], height: scale[1] };
const folder = new URL("../app/", import.meta.url);
const places = names.map(({ name, lng, lat }) => [
  name,
  Number(lng.toFixed(3)),
  Number(lat.toFixed(3)),
]);

writeFileSync(
  new URL("lib/map/shore.gen.ts", folder),
  `${head}export const FRAME = ${JSON.stringify(FRAME)};
/** The corner and the step of the grid that lines are drawn on, in degrees. */
export const GRID = ${JSON.stringify(grid)};
/** From west to east, as steps on the grid. */
export const SHORE: readonly number[] = ${JSON.stringify(steps(eastward))};
`,
);
writeFileSync(
  new URL("features/map/municipalities.gen.ts", folder),
  `${head}/** Between two municipalities, as steps on the grid of the shore. */
export const BORDERS: readonly (readonly number[])[] = ${JSON.stringify(borders.map(steps))};
/** Their names and where these stand, the largest municipality first. */
export const MUNICIPALITIES: readonly (readonly [name: string, lng: number, lat: number])[] = ${JSON.stringify(places)};
`,
);
// The same for the map on which editors set pins.
const ground = {
  FRAME,
  GRID: grid,
  SHORE: steps(eastward),
  BORDERS: borders.map(steps),
  MUNICIPALITIES: places,
};
const exported = Object.entries(ground).map(
  ([name, value]) => `export const ${name} = ${JSON.stringify(value)}\n`,
);
writeFileSync(
  new URL("../../deploy/directus/extensions/almijara-map/dist/ground.js", import.meta.url),
  head.replace("scripts/", "frontend/scripts/") + exported.join(""),
);
console.log(
  `shore of ${eastward.length} corners (${islands.length} other outlines left out), ` +
    `${borders.length} borders, ${names.length} names`,
);
