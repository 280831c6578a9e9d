/**
 * About how wide the pictures of cards are, for `sizes`, by how many stand beside one another on large
 * screens. It chooses among few widths and stands in a list two dozen times: it is short, not exact.
 */
export const CARD_BELOW = "(min-width: 40rem) 44vw, 85vw";

export const CARD_SIZES = {
  three: `(min-width: 64rem) 23rem, ${CARD_BELOW}`,
  four: `(min-width: 64rem) 17rem, ${CARD_BELOW}`,
};
