import { roughly, type Spot } from "./roughly.ts";

/** The stretch that the sketch shows: from Torre del Mar to the cliffs of Maro, and up to Cómpeta. */
const WEST = -4.135;
const EAST = -3.765;
const NORTH = 36.872;
const SOUTH = 36.695;
/** A degree of longitude is shorter here than one of latitude. */
const SHORTER = Math.cos((36.78 * Math.PI) / 180);

export const SKETCH = {
  width: 600,
  height: Math.round((600 * (NORTH - SOUTH)) / ((EAST - WEST) * SHORTER)),
};

/** The shore from west to east, as a hand would draw it. */
const SHORE: readonly (readonly [lng: number, lat: number])[] = [
  [-4.135, 36.716],
  [-4.105, 36.732],
  [-4.09, 36.74],
  [-4.066, 36.748],
  [-4.038, 36.749],
  [-4.01, 36.744],
  [-3.985, 36.735],
  [-3.962, 36.726],
  [-3.948, 36.727],
  [-3.92, 36.739],
  [-3.895, 36.743],
  [-3.876, 36.745],
  [-3.862, 36.751],
  [-3.843, 36.755],
  [-3.82, 36.746],
  [-3.795, 36.739],
  [-3.765, 36.734],
];

interface Town extends Spot {
  readonly name: string;
  /** Its name stands in the water below it. */
  readonly ashore?: boolean;
}

/** Towns to find one's way by. */
export const TOWNS: readonly Town[] = [
  { name: "Torre del Mar", lat: 36.744, lng: -4.094, ashore: true },
  { name: "Torrox Costa", lat: 36.731, lng: -3.957, ashore: true },
  { name: "Torrox", lat: 36.758, lng: -3.953 },
  { name: "Nerja", lat: 36.75, lng: -3.878, ashore: true },
  { name: "Frigiliana", lat: 36.791, lng: -3.895 },
  { name: "Cómpeta", lat: 36.834, lng: -3.974 },
];

/** Where a place stands on the sketch; nothing when it lies beyond it. */
export function onSketch({ lat, lng }: Spot): { x: number; y: number } | undefined {
  if (lat < SOUTH || lat > NORTH || lng < WEST || lng > EAST) return undefined;
  return {
    x: Math.round((SKETCH.width * (lng - WEST)) / (EAST - WEST)),
    y: Math.round((SKETCH.height * (NORTH - lat)) / (NORTH - SOUTH)),
  };
}

/** The sea, as a path: everything below the shore. */
export function seaPath(): string {
  const shore = SHORE.flatMap(([lng, lat]) => {
    const point = onSketch({ lat, lng });
    return point ? [`${point.x},${point.y}`] : [];
  });
  return `M${shore.join(" L")} V${SKETCH.height} H0 Z`;
}

/** The neighbourhood on OpenStreetMap. */
export function openStreetMapHref(spot: Spot): string {
  const { lat, lng } = roughly(spot);
  return `https://www.openstreetmap.org/#map=14/${lat.toFixed(2)}/${lng.toFixed(2)}`;
}
