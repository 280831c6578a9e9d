import { defineMessages } from "#app/lib/i18n/messages.ts";
import { distinctFeatures } from "#app/lib/vocabulary/feature-names.ts";
import {
  type FeatureGroupName,
  featureGroupNames,
  featureGroups,
} from "#app/lib/vocabulary/features.gen.ts";

/** A group of the vocabulary, or what editors have just invented. */
type GroupName = FeatureGroupName | "other";

export const groupNames = defineMessages<Record<GroupName, string>>({
  en: { ...featureGroupNames.en, other: "Also" },
  es: { ...featureGroupNames.es, other: "Además" },
});

export const GROUP_DRAWINGS: Record<GroupName, string> = {
  views:
    "M2.5 12s3.5-6 9.5-6 9.5 6 9.5 6-3.5 6-9.5 6-9.5-6-9.5-6Zm9.5 2.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z",
  outdoors:
    "M3 9c2 0 2-1.5 4.5-1.5S10 9 12 9s2-1.5 4.5-1.5S19 9 21 9M3 15c2 0 2-1.5 4.5-1.5S10 15 12 15s2-1.5 4.5-1.5S19 15 21 15",
  inside:
    "M5 11V8a2 2 0 0 1 2-2h10a2 2 0 0 1 2 2v3M3 12.5a1.75 1.75 0 0 1 3.5 0V14h11v-1.5a1.75 1.75 0 0 1 3.5 0V18H3v-5.5ZM6 18v1.5m12-1.5v1.5",
  comfort: "M10 14V5.5a2 2 0 0 1 4 0V14a4 4 0 1 1-4 0Zm2-4.5V17",
  access: "M4 17v-4.5L6.5 7h11l2.5 5.5V17H4Zm0-4.5h16M6.5 17v2m11-2v2",
  land: "M5 19c0-9 5-14 14-14 0 9-5 14-12 13m-2 2c1-5 4-8 8-9",
  other: "m5 12.5 4.5 4.5L19 7.5",
};

export interface FeatureGroup {
  readonly name: GroupName;
  readonly features: readonly string[];
}

/** Features by what they are about; one that the editors have just invented comes last. */
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
