import { writtenNumber } from "#app/lib/format/written-number.ts";

/**
 * How many square metres somebody wrote, rounded to whole ones: `87,5`, `1.200 m²`, `1,200`; NaN for what is
 * no number.
 */
export function squareMetres(text: string): number {
  return Math.round(writtenNumber(text.replace(/\s/g, "").replace(/m[2²]$/i, "")));
}
