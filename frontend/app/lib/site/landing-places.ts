/** The place whose homes a landing page shows; the page's words are the editors'. */
export const LANDING_PLACES: Record<string, string> = {
  "nerja-malaga-east": "nerja",
  "torrox-property-for-sale": "torrox",
};

/** The landing page of a place, where it has one. */
export function landingPath(place: string): string | undefined {
  const entry = Object.entries(LANDING_PLACES).find(([, slug]) => slug === place);
  return entry && `/${entry[0]}`;
}
