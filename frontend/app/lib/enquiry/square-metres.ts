/** Digits parted in groups of three, by points or by commas, up to a decimal mark of the other kind. */
const PARTED = /^[1-9]\d{0,2}(?:(?:\.\d{3})+(?=,|$)|(?:,\d{3})+(?=\.|$))/;

/**
 * How many square metres somebody wrote, rounded to whole ones: `87,5`, `1.200 m²`, `1,200`; NaN for what is
 * no number.
 */
export function squareMetres(text: string): number {
  const figure = text.replace(/\s/g, "").replace(/m[2²]$/i, "");
  const whole = figure.replace(PARTED, (parted) => parted.replace(/[.,]/g, ""));
  const plain = whole.replace(",", ".");
  return /^\d+(?:\.\d+)?$/.test(plain) ? Math.round(Number(plain)) : Number.NaN;
}
