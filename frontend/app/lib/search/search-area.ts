import type { Bounds, Spot } from "#app/lib/map/projection.ts";

/** A precision of ten metres: more adds nothing for a home, and makes addresses long. */
const DECIMALS = 4;
/** An area with fewer corners encloses nothing; the API rejects more. */
export const MIN_CORNERS = 3;
export const MAX_CORNERS = 60;

/** Formats map bounds for an address: `west,south,east,north`. */
export function bboxText({ west, south, east, north }: Bounds): string {
  return [west, south, east, north].map(round).join();
}

/** Parses the map bounds of an address; undefined if they are invalid. */
export function parseBbox(text: string | null | undefined): Bounds | undefined {
  const numbers = numbersOf(text ?? "");
  const [west = 0, south = 0, east = 0, north = 0] = numbers;
  const real =
    numbers.length === 4 &&
    west < east &&
    south < north &&
    isOnEarth([west, south]) &&
    isOnEarth([east, north]);
  return real ? { west, south, east, north } : undefined;
}

/**
 * Formats an area for an address: `lng,lat;lng,lat;…`, without repeated corners, and without a last corner
 * that only closes it.
 */
export function areaText(corners: readonly Spot[]): string {
  const texts = corners
    .map(({ lng, lat }) => `${round(lng)},${round(lat)}`)
    .filter((corner, index, all) => corner !== all[index - 1]);
  if (texts.length > 1 && texts.at(-1) === texts[0]) texts.pop();
  return texts.join(";");
}

/** Parses the corners of an area in an address; empty if it is invalid. */
export function parseArea(text: string | null | undefined): Spot[] {
  const lists = (text ?? "").split(";").map(numbersOf);
  if (!lists.every((numbers) => numbers.length === 2 && isOnEarth(numbers))) return [];
  const corners = lists.map(([lng = 0, lat = 0]) => ({ lng, lat }));
  const count = areaText(corners).split(";").length;
  return count < MIN_CORNERS || count > MAX_CORNERS ? [] : corners;
}

/** Normalizes `west,south,east,north`; undefined if it is invalid. */
export function normalizeBbox(text: string | null): string | undefined {
  const bounds = parseBbox(text);
  return bounds && bboxText(bounds);
}

/** Normalizes `lng,lat;lng,lat;…`; undefined if it is not an area. */
export function normalizeArea(text: string | null): string | undefined {
  return areaText(parseArea(text)) || undefined;
}

/**
 * Parses a comma-separated list of numbers, rounded to the precision of addresses; empty if one is not a
 * number.
 */
function numbersOf(text: string): number[] {
  const parts = text.split(",", 5).map((part) => part.trim());
  return parts.every((part) => /^-?\d{1,3}(\.\d{1,15})?$/.test(part))
    ? parts.map((part) => round(Number(part)))
    : [];
}

/** Rounds to the precision of addresses. Adding zero turns -0 into 0. */
function round(degrees: number): number {
  return Number(degrees.toFixed(DECIMALS)) + 0;
}

function isOnEarth([lng = 0, lat = 0]: readonly number[]): boolean {
  return Math.abs(lng) <= 180 && Math.abs(lat) <= 90;
}
