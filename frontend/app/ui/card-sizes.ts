/**
 * How wide the pictures of cards are, for `sizes`, by how many stand beside one another on large screens.
 * A card's rim and line are 0.5625rem at each side, the gap between two 1.25rem.
 */
const BELOW = "(min-width: 40rem) calc(46vw - 1.75rem), calc(100vw - 3.625rem)";

export const CARD_SIZES = {
  three: `(min-width: 80rem) 23rem, (min-width: 64rem) calc(33.3vw - 3.625rem), ${BELOW}`,
  four: `(min-width: 80rem) 16.7rem, (min-width: 64rem) calc(25vw - 3.3rem), ${BELOW}`,
};
