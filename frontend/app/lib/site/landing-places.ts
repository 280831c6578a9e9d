import type { Site } from "#app/lib/api/types.ts";

/**
 * The place that a landing page is about, by its address: the editors begin it with the place's own
 * (`torrox-property-for-sale`). Of several the longest is meant, such as Torrox Costa's.
 */
export function placeOfPage<Place extends { slug: string }>(
  page: string,
  places: readonly Place[],
): Place | undefined {
  return places
    .filter(({ slug }) => page === slug || page.startsWith(`${slug}-`))
    .sort((a, b) => b.slug.length - a.slug.length)[0];
}

/** The landing page of a place, where one of the menus leads to it. */
export function landingPath(place: string, { navigation, locations }: Site): string | undefined {
  const { popular, quick, footer } = navigation;
  return [...popular, ...footer, ...quick]
    .map(({ url }) => url ?? "")
    .find((url) => /^\/[^/?#]+$/.test(url) && placeOfPage(url.slice(1), locations)?.slug === place);
}
