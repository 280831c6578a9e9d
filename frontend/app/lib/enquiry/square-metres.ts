import { parseNumber } from "#app/lib/format/parse-number.ts";

/**
 * Parses a typed area in square metres, rounded to an integer: `87,5`, `1.200 m²`, `1,200`. Returns NaN for
 * text that is not a number.
 */
export function squareMetres(text: string): number {
  return Math.round(parseNumber(text.replace(/\s/g, "").replace(/m[2²]$/i, "")));
}
