import { writtenNumber } from "#app/lib/format/written-number.ts";

/**
 * Parses a typed area in square metres, rounded to an integer: `87,5`, `1.200 m²`, `1,200`. Returns NaN for
 * text that is not a number.
 */
export function squareMetres(text: string): number {
  return Math.round(writtenNumber(text.replace(/\s/g, "").replace(/m[2²]$/i, "")));
}
