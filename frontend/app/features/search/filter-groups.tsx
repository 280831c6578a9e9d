import type { ReactNode } from "react";
import type { PropertyKind, PropertyList } from "#app/lib/api/types.ts";
import { formatArea, formatPrice } from "#app/lib/format/format.ts";
import { LANGUAGE_TAG, type Locale, useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import {
  PROPERTY_KINDS,
  PROPERTY_TYPES,
  type Search,
  STATUSES,
} from "#app/lib/search/search-params.ts";
import { placeLabel } from "#app/lib/site/place-label.ts";
import { placeTree } from "#app/lib/site/places.ts";
import { useSite } from "#app/lib/site/site-query.ts";
import { featureName } from "#app/lib/vocabulary/feature-names.ts";
import {
  energyLetters,
  kindNames,
  markNames,
  statusNames,
  typePlurals,
} from "#app/lib/vocabulary/names.gen.ts";
import { Button } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Checks, type Choice, Fold, LongChecks, NumberSelect } from "./filter-fields.tsx";
import { filterMessages } from "./filter-messages.ts";
import { searchMessages } from "./messages.ts";
import { RangeField } from "./range-field.tsx";
import { SearchField } from "./type-ahead/search-field.tsx";

const ROOMS = [1, 2, 3, 4, 5];
const FIRST_PLACES = 8;
const FIRST_FEATURES = [
  "pool",
  "sea-view",
  "terrace",
  "garden",
  "garage",
  "lift",
  "air-conditioning",
  "furnished",
];

type Facets = PropertyList["facets"];

interface FilterGroupsProps {
  search: Search;
  facets: Facets;
}

/** The fields of the filter form, with the number of homes that each choice would show. */
export function FilterGroups({ search, facets }: FilterGroupsProps) {
  const locale = useLocale();
  const { locations } = useSite();
  const t = useMessages(searchMessages);
  const f = useMessages(filterMessages);
  const types = useMessages(typePlurals);
  const kinds = useMessages(kindNames);
  const statuses = useMessages(statusNames);
  const { newBuild } = useMessages(markNames);
  const euros = (value: number) => formatPrice(locale, value);
  const metres = (value: number) => formatArea(locale, value);
  const days = [
    ...new Set([
      ...Object.keys(facets.newWithin).map(Number),
      ...(search.newWithin === undefined ? [] : [search.newWithin]),
    ]),
  ];
  return (
    <>
      <div className="relative flex items-end gap-2">
        <SearchField
          value={search.q}
          className="block grow"
          labelClassName="font-semibold"
          inputClassName="field mt-2 min-h-11"
        />
        <Button type="submit" look="outline" className="size-11 shrink-0 px-0">
          <Icon name="search" />
          <span className="sr-only">{t.search}</span>
        </Button>
      </div>
      <Group title={f.place}>
        <LongChecks
          name="location"
          choices={[
            ...placeTree(locations).map(({ place: { slug, name }, depth }) => ({
              value: slug,
              label: placeLabel(name),
              depth,
            })),
            ...search.location
              .filter((slug) => !locations.some((known) => known.slug === slug))
              .map((slug) => ({ value: slug, label: slug })),
          ]}
          counts={facets.location}
          first={FIRST_PLACES}
        />
      </Group>
      <Group title={t.type}>
        <Checks
          name="propertyType"
          choices={PROPERTY_TYPES.map((value) => ({ value, label: types[value] }))}
          counts={facets.propertyType}
        />
        <Fold title={f.kind} chosen={search.kind.length > 0}>
          <Checks
            name="kind"
            choices={kindsOf(search, facets).map((value) => ({ value, label: kinds[value] }))}
            counts={facets.kind}
          />
        </Fold>
      </Group>
      <RangeField
        label={f.price}
        unit="€"
        names={["minPrice", "maxPrice"]}
        spread={facets.price}
        show={euros}
      />
      <div className="grid grid-cols-2 gap-3">
        <NumberSelect
          name="minBedrooms"
          label={f.bedrooms}
          any={f.any}
          values={ROOMS}
          counts={facets.bedrooms}
          show={f.atLeast}
        />
        <NumberSelect
          name="minBathrooms"
          label={f.bathrooms}
          any={f.any}
          values={ROOMS}
          counts={facets.bathrooms}
          show={f.atLeast}
        />
      </div>
      <RangeField
        label={f.built}
        unit="m²"
        names={["minBuilt", "maxBuilt"]}
        spread={facets.builtArea}
        show={metres}
      />
      <RangeField
        label={f.plot}
        unit="m²"
        names={["minPlot", "maxPlot"]}
        spread={facets.plotArea}
        show={metres}
      />
      <Group title={f.features}>
        <LongChecks
          name="features"
          choices={featureChoices(search, facets, locale)}
          counts={facets.features}
          first={FIRST_FEATURES.length}
        />
      </Group>
      <NumberSelect
        name="newWithin"
        label={f.listed}
        any={f.anyTime}
        values={days.sort((a, b) => a - b)}
        counts={facets.newWithin}
        show={f.withinDays}
      />
      <Group title={f.status}>
        <Checks
          name="status"
          choices={STATUSES.map((value) => ({ value, label: statuses[value] }))}
          counts={facets.status}
        />
        <div className="mt-1 border-t border-line pt-1">
          <Checks
            name="reduced"
            choices={[{ value: "true", label: t.reduced }]}
            counts={{ true: facets.reduced }}
          />
          <Checks
            name="featured"
            choices={[{ value: "true", label: t.featured }]}
            counts={{ true: facets.featured }}
          />
          <Checks
            name="newBuild"
            choices={[{ value: "true", label: newBuild }]}
            counts={{ true: facets.newBuild }}
          />
        </div>
      </Group>
      <Group title={f.energy}>
        <Checks
          name="energy"
          choices={energyLetters.map((value) => ({ value, label: value }))}
          counts={facets.energy}
          short
        />
      </Group>
      <TextOnlyFilters search={search} />
    </>
  );
}

/**
 * Hidden fields for filters that only typed text can set. They stay with the others until their chip is
 * removed.
 */
function TextOnlyFilters({ search }: { search: Search }) {
  return (["maxBedrooms", "notLocation", "withoutFeatures"] as const).flatMap((name) =>
    [search[name] ?? []]
      .flat()
      .map((value) => <input key={`${name} ${value}`} type="hidden" name={name} value={value} />),
  );
}

/** Returns the kinds that there are homes of, and any that are chosen. */
function kindsOf(search: Search, facets: Facets): PropertyKind[] {
  return PROPERTY_KINDS.filter((kind) => kind in facets.kind || search.kind.includes(kind));
}

/**
 * Returns the features that visitors ask for most, then the others by name. They are not sorted by the
 * number of homes, because every choice would reorder the others.
 */
function featureChoices(search: Search, facets: Facets, locale: Locale): Choice[] {
  const known = Object.keys(facets.features);
  const first = FIRST_FEATURES.filter((feature) => known.includes(feature));
  const rest = [...new Set([...known, ...search.features])]
    .filter((feature) => !first.includes(feature))
    .map((value) => ({ value, label: featureName(value, locale) }))
    .sort((a, b) => a.label.localeCompare(b.label, LANGUAGE_TAG[locale]));
  return [...first.map((value) => ({ value, label: featureName(value, locale) })), ...rest];
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset>
      <legend className="mb-1 font-semibold">{title}</legend>
      {children}
    </fieldset>
  );
}
