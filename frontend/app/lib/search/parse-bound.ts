/**
 * Parses a bound that was typed in a field or an address, as an integer: `350.000 €`, `87,5`, `120 m²`.
 * Returns NaN for other text.
 */
export function parseBound(text: string): number {
  const figure = text.replace(/[\s€]|m[²2]|[.,](?=\d{3}(?!\d))/gi, "").replace(",", ".");
  return Math.round(Number(figure)) || Number.NaN;
}
