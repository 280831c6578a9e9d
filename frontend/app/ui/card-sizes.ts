/**
 * Approximate widths of card pictures for the `sizes` attribute, by the number of cards in a row on large
 * screens. Short rather than exact: the browser chooses among only a few widths, and a list repeats the
 * text two dozen times.
 */
export const CARD_BELOW = "(min-width:40rem) 44vw,85vw";

export const CARD_SIZES = {
  three: `(min-width:64rem) 23rem,${CARD_BELOW}`,
  four: `(min-width:64rem) 17rem,${CARD_BELOW}`,
};
