/** The parts of the client area that are everybody's, and what each is called in its messages. */
export const PARTS = [
  ["/account", "favourites"],
  ["/account/compare", "comparison"],
  ["/account/recent", "recent"],
  ["/account/hidden", "hidden"],
] as const;

/** Those of whoever is signed in. */
export const OWNERS_PARTS = [
  ["/account/searches", "searches"],
  ["/account/enquiries", "enquiries"],
  ["/account/details", "details"],
] as const;
