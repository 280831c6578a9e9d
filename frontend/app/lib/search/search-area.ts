/** Ten metres: finer says nothing of a home, and makes addresses long. */
const DECIMALS = 4;
const FEWEST_CORNERS = 3;
const MOST_CORNERS = 60;

type Point = readonly [lng: number, lat: number];

/** `west,south,east,north` in one way of writing it; none where the text is no part of the earth. */
export function tidyBounds(text: string | null): string | undefined {
  const numbers = numbersOf(text ?? "");
  const [west = 0, south = 0, east = 0, north = 0] = numbers;
  const real =
    numbers.length === 4 &&
    west < east &&
    south < north &&
    isPoint([west, south]) &&
    isPoint([east, north]);
  return real ? numbers.join() : undefined;
}

/**
 * `lng,lat;lng,lat;…` in one way of writing it: no corner twice in a row, none at the end that only
 * closes it. None where the text is no area.
 */
export function tidyArea(text: string | null): string | undefined {
  const given = (text ?? "").split(";").map(numbersOf);
  const corners = given
    .map((numbers) => numbers.join())
    .filter((corner, index, all) => corner !== all[index - 1]);
  if (corners.length > 1 && corners.at(-1) === corners[0]) corners.pop();
  const real =
    given.every((numbers) => numbers.length === 2 && isPoint(numbers as unknown as Point)) &&
    corners.length >= FEWEST_CORNERS &&
    corners.length <= MOST_CORNERS;
  return real ? corners.join(";") : undefined;
}

/** The numbers of a list with commas, as exact as an address is; none where one isn't a number. */
function numbersOf(text: string): number[] {
  const parts = text.split(",", 5).map((part) => part.trim());
  if (!parts.every((part) => /^-?\d{1,3}(\.\d{1,15})?$/.test(part))) return [];
  // Adding nothing makes of a minus nought a nought.
  return parts.map((part) => Number(Number(part).toFixed(DECIMALS)) + 0);
}

function isPoint([lng, lat]: Point): boolean {
  return Math.abs(lng) <= 180 && Math.abs(lat) <= 90;
}
