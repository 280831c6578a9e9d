/** The parts of the client area that need no account: path and message key. */
export const PUBLIC_PARTS = [
  ["/account", "favourites"],
  ["/account/compare", "comparison"],
  ["/account/recent", "recent"],
  ["/account/hidden", "hidden"],
] as const;

/** The parts for signed-in visitors. */
export const ACCOUNT_PARTS = [
  ["/account/searches", "searches"],
  ["/account/enquiries", "enquiries"],
  ["/account/details", "details"],
] as const;
