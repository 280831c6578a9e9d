import type { PropertyDetail } from "#app/lib/api/types.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";

/** A home as far as its picture shows it. */
export type Drawn = Pick<
  PropertyDetail,
  "ref" | "price" | "status" | "reduced" | "kind" | "bedrooms" | "location" | "images"
>;

/**
 * The picture that a link to a home is shown with elsewhere, drawn by the site service. Others keep
 * it by its address, so that changes with all that is drawn and with nothing else.
 */
export function sharingPicture(locale: Locale, home: Drawn): string {
  const { ref, price, status, reduced, kind, bedrooms, location, images } = home;
  const { file, version = 0 } = images[0] ?? {};
  const drawn = [price ?? 0, status, reduced, kind, bedrooms ?? 0, location.name, file];
  return `/share/${locale}/${ref}.jpg?v=${hashOf(JSON.stringify(drawn))}-${version}`;
}

/** FNV-1a: other words have another one, but for one pair in four billion. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return (hash >>> 0).toString(36);
}
