/** The address of a Web Mercator tile. */
interface TileAddress {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

/** A layer of a tile with one shape: land over its western half, or a road through its middle. */
interface Shape {
  readonly layer: string;
  readonly kind: string;
  readonly type: "line" | "polygon";
  /** In the tile's 4096 units. */
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** Returns a PMTiles file (version 3, uncompressed) with the same few shapes in every tile. */
export function pmtilesFile(tiles: readonly TileAddress[], shapes: readonly Shape[]): Uint8Array {
  const tile = vectorTile(shapes);
  const ids = tiles.map(tileId).sort((a, b) => a - b);
  const steps = ids.map((id, index) => id - (ids[index - 1] ?? 0));
  const directory = Uint8Array.from([
    ...varint(ids.length),
    ...steps.flatMap(varint),
    ...ids.flatMap(() => varint(1)),
    ...ids.flatMap(() => varint(tile.length)),
    // Every entry has the same tile: its offset, plus one.
    ...ids.flatMap(() => varint(1)),
  ]);
  const metadata = new TextEncoder().encode(JSON.stringify({ vector_layers: [] }));
  const header = new DataView(new ArrayBuffer(127));
  new Uint8Array(header.buffer).set(new TextEncoder().encode("PMTiles"));
  header.setUint8(7, 3);
  const root = 127;
  const meta = root + directory.length;
  const data = meta + metadata.length;
  const places = [root, directory.length, meta, metadata.length, data, 0, data, tile.length];
  const counts = [ids.length, ids.length, 1];
  [...places, ...counts].forEach((value, index) => {
    header.setBigUint64(8 + index * 8, BigInt(value), true);
  });
  const zooms = tiles.map(({ z }) => z);
  // Clustered; directories and tiles uncompressed; vector tiles; minimum and maximum zoom.
  [0, 1, 1, 1, Math.min(...zooms), Math.max(...zooms)].forEach((value, index) => {
    header.setUint8(96 + index, value);
  });
  [-180, -85, 180, 85].forEach((degrees, index) => {
    header.setInt32(102 + index * 4, degrees * 1e7, true);
  });
  return Uint8Array.from([...new Uint8Array(header.buffer), ...directory, ...metadata, ...tile]);
}

/** Returns the index of a tile on the concatenated Hilbert curves of all zoom levels. */
function tileId({ z, x, y }: TileAddress): number {
  let id = (4 ** z - 1) / 3;
  let [tx, ty] = [x, y];
  for (let side = 2 ** (z - 1); side >= 1; side /= 2) {
    const [right, down] = [tx & side ? 1 : 0, ty & side ? 1 : 0];
    id += side * side * ((3 * right) ^ down);
    if (down === 0) {
      if (right === 1) [tx, ty] = [side - 1 - (tx & (side - 1)), side - 1 - (ty & (side - 1))];
      [tx, ty] = [ty, tx];
    }
  }
  return id;
}

/** Encodes a Mapbox Vector Tile, version 2. */
function vectorTile(shapes: readonly Shape[]): number[] {
  return shapes.flatMap(({ layer, kind, type, points }) => {
    const feature = [
      ...field(2, [0, 0]),
      ...number(3, type === "line" ? 2 : 3),
      ...field(4, geometry(points, type === "polygon")),
    ];
    const words = [...field(3, text("kind")), ...field(4, field(1, text(kind)))];
    const body = [...field(1, text(layer)), ...field(2, feature), ...words, ...number(5, 4096)];
    return field(3, [...body, ...number(15, 2)]);
  });
}

const MOVE = 1;
const LINE = 2;
const CLOSE = 7;

function geometry(points: Shape["points"], closed: boolean): number[] {
  let at: readonly [number, number] = [0, 0];
  const steps = points.map(([x, y]) => {
    const step = [x - at[0], y - at[1]].flatMap((by) => varint((by << 1) ^ (by >> 31)));
    at = [x, y];
    return step;
  });
  const lines = [...varint(LINE | ((points.length - 1) << 3)), ...steps.slice(1).flat()];
  return [MOVE | (1 << 3), ...(steps[0] ?? []), ...lines, ...(closed ? [CLOSE | (1 << 3)] : [])];
}

const text = (words: string) => [...new TextEncoder().encode(words)];
const number = (tag: number, value: number) => [...varint(tag << 3), ...varint(value)];
const field = (tag: number, bytes: readonly number[]) => [
  ...varint((tag << 3) | 2),
  ...varint(bytes.length),
  ...bytes,
];

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return [...bytes, rest];
}
