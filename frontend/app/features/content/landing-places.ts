/** The place whose homes a landing page shows; the page's words are the editors'. */
export const LANDING_PLACES: Record<string, string> = {
  "nerja-malaga-east": "nerja",
  "torrox-property-for-sale": "torrox",
};
