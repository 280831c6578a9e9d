import { defineMessages } from "#app/lib/i18n/messages.ts";
import { distinctFeatures } from "#app/lib/vocabulary/feature-names.ts";
import type { IconName } from "#app/ui/icon.tsx";

export const groupNames = defineMessages({
  en: {
    views: "Views and place",
    outdoors: "Outdoors",
    inside: "Inside",
    comfort: "Comfort and energy",
    access: "Access and parking",
    land: "Land",
    other: "Also",
  },
  es: {
    views: "Vistas y entorno",
    outdoors: "Exterior",
    inside: "Interior",
    comfort: "Confort y energía",
    access: "Acceso y aparcamiento",
    land: "Terreno",
    other: "Además",
  },
});

type GroupName = keyof typeof groupNames.en;

const GROUPS: Record<Exclude<GroupName, "other">, readonly string[]> = {
  views: [
    "sea-view",
    "mountain-view",
    "village-view",
    "pool-view",
    "garden-view",
    "beachfront",
    "walk-to-beach",
    "near-golf",
  ],
  outdoors: [
    "pool",
    "private-pool",
    "communal-pool",
    "terrace",
    "roof-terrace",
    "solarium",
    "garden",
    "barbecue",
    "jacuzzi",
  ],
  inside: [
    "fitted-kitchen",
    "fitted-wardrobes",
    "furnished",
    "fireplace",
    "storage-room",
    "guest-flat",
  ],
  comfort: ["air-conditioning", "heating", "double-glazing", "solar-panels", "alarm"],
  access: ["lift", "wheelchair-access", "garage", "parking", "gated"],
  land: ["avocado-trees", "well"],
};

export const GROUP_ICONS: Record<GroupName, IconName> = {
  views: "eye",
  outdoors: "waves",
  inside: "sofa",
  comfort: "thermometer",
  access: "car",
  land: "leaf",
  other: "check",
};

export interface FeatureGroup {
  readonly name: GroupName;
  readonly features: readonly string[];
}

/** Features by what they are about; one that the editors have just invented comes last. */
export function groupedFeatures(features: readonly string[]): FeatureGroup[] {
  const distinct = distinctFeatures(features);
  const known = Object.entries(GROUPS).map(([name, members]) => ({
    name: name as GroupName,
    features: members.filter((feature) => distinct.includes(feature)),
  }));
  const placed = new Set(known.flatMap((group) => group.features));
  const other = distinct.filter((feature) => !placed.has(feature));
  return [...known, { name: "other" as const, features: other }].filter(
    (group) => group.features.length > 0,
  );
}
