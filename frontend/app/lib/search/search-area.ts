import type { Bounds, Spot } from "#app/lib/map/projection.ts";

/** Ten metres: finer says nothing of a home, and makes addresses long. */
const DECIMALS = 4;
/** An area of fewer corners encloses nothing; of more, the API takes none. */
export const MIN_CORNERS = 3;
export const MAX_CORNERS = 60;

/** A part of the map as addresses say it: `west,south,east,north`. */
export function bboxText({ west, south, east, north }: Bounds): string {
  return [west, south, east, north].map(short).join();
}

/** The part that an address says; none where the text is no part of the earth. */
export function readBbox(text: string | null | undefined): Bounds | undefined {
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
 * An area as addresses say it, `lng,lat;lng,lat;…`: no corner twice in a row, none at the end that
 * only closes it.
 */
export function areaText(corners: readonly Spot[]): string {
  const texts = corners
    .map(({ lng, lat }) => `${short(lng)},${short(lat)}`)
    .filter((corner, index, all) => corner !== all[index - 1]);
  if (texts.length > 1 && texts.at(-1) === texts[0]) texts.pop();
  return texts.join(";");
}

/** The corners that an address says; none where the text is no area. */
export function readArea(text: string | null | undefined): Spot[] {
  const given = (text ?? "").split(";").map(numbersOf);
  if (!given.every((numbers) => numbers.length === 2 && isOnEarth(numbers))) return [];
  const corners = given.map(([lng = 0, lat = 0]) => ({ lng, lat }));
  const count = areaText(corners).split(";").length;
  return count < MIN_CORNERS || count > MAX_CORNERS ? [] : corners;
}

/** `west,south,east,north` in the one way of writing it, where it is a part of the earth. */
export function tidyBbox(text: string | null): string | undefined {
  const bounds = readBbox(text);
  return bounds && bboxText(bounds);
}

/** `lng,lat;lng,lat;…` in the one way of writing it, where it is an area. */
export function tidyArea(text: string | null): string | undefined {
  return areaText(readArea(text)) || undefined;
}

/** The numbers of a list with commas, as exact as an address is; none where one isn't a number. */
function numbersOf(text: string): number[] {
  const parts = text.split(",", 5).map((part) => part.trim());
  return parts.every((part) => /^-?\d{1,3}(\.\d{1,15})?$/.test(part))
    ? parts.map((part) => short(Number(part)))
    : [];
}

/** As exact as an address is. Adding nothing makes of a minus nought a nought. */
function short(degrees: number): number {
  return Number(degrees.toFixed(DECIMALS)) + 0;
}

function isOnEarth([lng = 0, lat = 0]: readonly number[]): boolean {
  return Math.abs(lng) <= 180 && Math.abs(lat) <= 90;
}
