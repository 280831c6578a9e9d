import { defineMessages } from "#app/lib/i18n/messages.ts";
import { distinctFeatures } from "#app/lib/vocabulary/feature-names.ts";
import {
  type FeatureGroupName,
  featureGroupNames,
  featureGroups,
} from "#app/lib/vocabulary/features.gen.ts";
import type { IconName } from "#app/ui/icon.tsx";

/** A group of the vocabulary, or `other` for features that editors added and it doesn't know yet. */
type GroupName = FeatureGroupName | "other";

export const groupNames = defineMessages<Record<GroupName, string>>({
  en: { ...featureGroupNames.en, other: "Also" },
  es: { ...featureGroupNames.es, other: "Además" },
});

export const GROUP_ICONS: Record<GroupName, IconName> = {
  views: "eye",
  outdoors: "waves",
  inside: "sofa",
  comfort: "thermometer",
  access: "car",
  land: "leaf",
  other: "check",
};

interface FeatureGroup {
  readonly name: GroupName;
  readonly features: readonly string[];
}

/** Groups features by topic; features that the vocabulary doesn't know come last. */
export function groupedFeatures(features: readonly string[]): FeatureGroup[] {
  const distinct = distinctFeatures(features);
  const known = Object.entries(featureGroups).map(([name, members]) => ({
    name: name as GroupName,
    features: members.filter((feature) => distinct.includes(feature)),
  }));
  const placed = new Set(known.flatMap((group) => group.features));
  const other = distinct.filter((feature) => !placed.has(feature));
  return [...known, { name: "other" as const, features: other }].filter(
    (group) => group.features.length > 0,
  );
}
