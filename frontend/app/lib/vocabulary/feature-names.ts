import type { Locale } from "#app/lib/i18n/locale.ts";
import { featureNames } from "./features.gen.ts";

/** A feature's name; one that the editors have just invented is shown as they wrote it. */
export function featureName(feature: string, locale: Locale): string {
  const names = featureNames[locale];
  if (Object.hasOwn(names, feature)) return names[feature] ?? feature;
  const words = feature.replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The features worth reading: a pool that is named more exactly need not be named twice. */
export function distinctFeatures(features: readonly string[]): string[] {
  const exactly = features.some((feature) => feature.endsWith("-pool"));
  return features.filter((feature) => !(exactly && feature === "pool"));
}
