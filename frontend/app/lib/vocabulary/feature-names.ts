import type { Locale } from "#app/lib/i18n/locale.ts";
import { featureNames } from "./features.gen.ts";

/**
 * Returns a feature's name. A feature that the editors have just invented has no translation, and is shown as
 * they wrote it.
 */
export function featureName(feature: string, locale: Locale): string {
  const names = featureNames[locale];
  if (Object.hasOwn(names, feature)) return names[feature] ?? feature;
  const words = feature.replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Drops redundant features: "pool" is omitted if a more specific pool is listed. */
export function distinctFeatures(features: readonly string[]): string[] {
  const hasSpecificPool = features.some((feature) => feature.endsWith("-pool"));
  return features.filter((feature) => !(hasSpecificPool && feature === "pool"));
}
