/**
 * The whole number that somebody wrote as a bound, in a field or an address: `350.000 €`, `87,5`, `120 m²`;
 * NaN for none.
 */
export function writtenBound(text: string): number {
  const figure = text.replace(/[\s€]|m[²2]|[.,](?=\d{3}(?!\d))/gi, "").replace(",", ".");
  return Math.round(Number(figure)) || Number.NaN;
}
