/** The reference of the home whose card was opened last, until the visitor comes back to that card. */
let opened: string | undefined;

export const openedCard = {
  set: (reference: string): void => {
    opened = reference;
  },
  /** Returns true once if this card was opened last, and forgets it. */
  is: (reference: string): boolean => {
    if (opened !== reference) return false;
    opened = undefined;
    return true;
  },
};
