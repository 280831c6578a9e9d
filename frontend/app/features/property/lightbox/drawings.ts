/** Drawings of the lightbox alone. */
export const DRAWINGS = {
  back: "M15 6l-6 6 6 6",
  broken: "M4 5h16v14H4V5Zm0 10 4-4 3 3 2-2 3 3m-4-8 2 3-3 2 2 3",
  close: "M6 6l12 12M18 6 6 18",
  forward: "M9 6l6 6-6 6",
  minus: "M6 12h12",
  plus: "M6 12h12M12 6v12",
} as const;
