/** The reference of the home whose card was opened last, until the way back leads to it. */
let opened: string | undefined;

export const openedCard = {
  set: (reference: string): void => {
    opened = reference;
  },
  /** Whether it is this one; it is told once. */
  is: (reference: string): boolean => {
    if (opened !== reference) return false;
    opened = undefined;
    return true;
  },
};
