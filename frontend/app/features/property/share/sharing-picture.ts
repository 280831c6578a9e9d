import type { PropertyItem } from "#app/lib/api/types.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";

/**
 * The picture that a link to a home is shown with elsewhere, drawn by the site service. Others keep
 * it by its address, so that changes with whatever may change what is drawn.
 */
export function sharingPicture(
  locale: Locale,
  { ref, updatedAt, images }: Pick<PropertyItem, "ref" | "updatedAt" | "images">,
): string {
  const changed = Date.parse(updatedAt).toString(36);
  return `/share/${locale}/${ref}.jpg?v=${changed}-${images[0]?.version ?? 0}`;
}
