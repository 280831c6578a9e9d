import type { PropertyDetail } from "#app/lib/api/types.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";

/** The fields of a home that its picture shows. */
export type PicturedHome = Pick<
  PropertyDetail,
  "ref" | "price" | "status" | "reduced" | "kind" | "bedrooms" | "location" | "images"
>;

/**
 * Returns the address of the preview picture of links to a home, which the site service draws. Other sites cache
 * it by address, so the address changes exactly when the drawing changes.
 */
export function linkPreviewPath(locale: Locale, home: PicturedHome): string {
  const { ref, price, status, reduced, kind, bedrooms, location, images } = home;
  const { file, version = 0 } = images[0] ?? {};
  const drawn = [price ?? 0, status, reduced, kind, bedrooms ?? 0, location.name, file];
  return `/share/${locale}/${ref}.jpg?v=${hashOf(JSON.stringify(drawn))}-${version}`;
}

/** Returns the 32-bit FNV-1a hash in base 36: two texts collide with a chance of one in four billion. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return (hash >>> 0).toString(36);
}
