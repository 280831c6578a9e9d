import { type ChangeEvent, type ReactNode, useRef } from "react";
import type { PropertyList } from "#app/lib/api/types.ts";
import { useNavigated } from "#app/lib/browser/use-navigated.ts";
import { formatArea, formatPrice } from "#app/lib/format/format.ts";
import { localizedPath, useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useSite } from "#app/lib/site/site-query.ts";
import { featureName } from "#app/lib/vocabulary/feature-names.ts";
import { statusNames, typeNames } from "#app/lib/vocabulary/names.ts";
import { buttonStyle } from "#app/ui/button.ts";
import { Icon } from "#app/ui/icon.tsx";
import { Checks, type Choice, NumberSelect } from "./filter-fields.tsx";
import { searchMessages } from "./messages.ts";
import { PROPERTY_TYPES, type Search, STATUSES, searchFields } from "./search-params.ts";
import { useSearchSubmit } from "./submit.ts";

/** The form's and the panel's name: the sort field and the opening button stand outside. */
export const FILTERS_FORM = "filters-form";
export const FILTERS_PANEL = "filters";

const PRICES = [50, 100, 150, 200, 250, 300, 400, 500, 750, 1_000, 1_500].map((k) => k * 1_000);
const ROOMS = [1, 2, 3, 4, 5];
const SIZES = [50, 75, 100, 150, 200, 300];
const FIRST_FEATURES = 8;

type Facets = PropertyList["facets"];

interface FiltersProps {
  search: Search;
  facets: Facets;
}

/** What narrows the list: one form, a column on large screens and a panel on small ones. */
export function Filters({ search, facets }: FiltersProps) {
  const locale = useLocale();
  const t = useMessages(searchMessages);
  const submit = useSearchSubmit();
  const panel = useRef<HTMLElement>(null);
  const form = useRef<HTMLFormElement>(null);

  // On large screens a choice applies at once; in the panel the button at its foot does it.
  const applyAtOnce = (event: ChangeEvent<HTMLFormElement>) => {
    const typing = event.target instanceof HTMLInputElement && event.target.type === "search";
    if (!typing && !panel.current?.matches(":popover-open")) event.currentTarget.requestSubmit();
  };

  useNavigated(() => {
    if (panel.current?.matches(":popover-open")) panel.current.hidePopover();
    if (form.current) showInFields(form.current, search);
  });

  return (
    <section
      ref={panel}
      id={FILTERS_PANEL}
      popover="auto"
      aria-label={t.filters}
      className="panel column-panel"
    >
      <div className="sticky top-0 z-10 flex h-16 items-center justify-between border-b border-line bg-canvas px-5 lg:hidden">
        <h2 className="text-xl">{t.filters}</h2>
        <button
          type="button"
          popoverTarget={FILTERS_PANEL}
          popoverTargetAction="hide"
          className="inline-flex size-11 items-center justify-center rounded-full hover:bg-sunk"
        >
          <Icon name="close" />
          <span className="sr-only">{t.closeFilters}</span>
        </button>
      </div>
      <form
        ref={form}
        id={FILTERS_FORM}
        action={localizedPath(locale, "/property-for-sale")}
        method="get"
        onSubmit={submit}
        onChange={applyAtOnce}
        className="flex flex-col gap-7 p-5 lg:p-0"
      >
        <Fields search={search} facets={facets} />
        <div className="sticky bottom-0 -mx-5 -mb-5 border-t border-line bg-canvas p-5 lg:static lg:m-0 lg:hidden lg:border-0 lg:p-0 lg:no-script:block">
          <button type="submit" className={`${buttonStyle.primary} w-full`}>
            {t.show}
          </button>
        </div>
      </form>
    </section>
  );
}

/** What the address says is what the fields show: after a chip, a page back or a link too. */
function showInFields(form: HTMLFormElement, search: Search): void {
  const values = searchFields(search);
  for (const field of form.elements) {
    if (field instanceof HTMLInputElement && field.type === "checkbox") {
      field.checked = values.getAll(field.name).includes(field.value);
    } else if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) {
      field.value = values.get(field.name) ?? "";
    }
  }
}

function Fields({ search, facets }: { search: Search; facets: Facets }) {
  const locale = useLocale();
  const { locations } = useSite();
  const t = useMessages(searchMessages);
  const types = useMessages(typeNames);
  const statuses = useMessages(statusNames);
  const euros = (value: number) => formatPrice(locale, value);
  const places: Choice[] = locations.map(({ slug, name }) => ({ value: slug, label: name }));
  const features = featureChoices(search, facets).map((value) => ({
    value,
    label: featureName(value, locale),
  }));
  return (
    <>
      <label className="block">
        <span className="font-semibold">{t.text}</span>
        <input
          type="search"
          name="q"
          defaultValue={search.q}
          placeholder={t.textHint}
          maxLength={100}
          className="field mt-2"
        />
      </label>
      <Group title={t.type}>
        <Checks
          name="propertyType"
          choices={PROPERTY_TYPES.map((value) => ({ value, label: types[value] }))}
          chosen={search.propertyType}
          counts={facets.propertyType}
        />
      </Group>
      <Group title={t.price}>
        <div className="grid grid-cols-2 gap-3">
          <NumberSelect
            name="minPrice"
            label={t.minPrice}
            any={t.noLimit}
            value={search.minPrice}
            values={PRICES}
            show={euros}
          />
          <NumberSelect
            name="maxPrice"
            label={t.maxPrice}
            any={t.noLimit}
            value={search.maxPrice}
            values={PRICES}
            show={euros}
          />
        </div>
      </Group>
      <div className="grid grid-cols-2 gap-3">
        <NumberSelect
          name="minBedrooms"
          label={t.bedrooms}
          any={t.any}
          value={search.minBedrooms}
          values={ROOMS}
          show={t.atLeast}
          strong
        />
        <NumberSelect
          name="minBathrooms"
          label={t.bathrooms}
          any={t.any}
          value={search.minBathrooms}
          values={ROOMS}
          show={t.atLeast}
          strong
        />
      </div>
      <NumberSelect
        name="minBuilt"
        label={t.built}
        any={t.any}
        value={search.minBuilt}
        values={SIZES}
        show={(value) => t.atLeast(formatArea(locale, value))}
        strong
      />
      <Group title={t.place}>
        <Checks
          name="location"
          choices={places}
          chosen={search.location}
          counts={facets.location}
        />
      </Group>
      <Group title={t.features}>
        <Checks
          name="features"
          choices={features.slice(0, FIRST_FEATURES)}
          chosen={search.features}
          counts={facets.features}
        />
        {features.length > FIRST_FEATURES ? (
          <details
            className="group mt-1"
            open={features
              .slice(FIRST_FEATURES)
              .some(({ value }) => search.features.includes(value))}
          >
            <summary className="flex min-h-9 items-center gap-1.5 font-medium">
              {t.moreFeatures}
              <Icon name="chevron" className="size-4 transition-transform group-open:rotate-180" />
            </summary>
            <Checks
              name="features"
              choices={features.slice(FIRST_FEATURES)}
              chosen={search.features}
              counts={facets.features}
            />
          </details>
        ) : null}
      </Group>
      <Group title={t.status}>
        <Checks
          name="status"
          choices={STATUSES.map((value) => ({ value, label: statuses[value] }))}
          chosen={search.status}
          counts={facets.status}
        />
        <div className="mt-1 border-t border-line pt-1">
          <Checks
            name="reduced"
            choices={[{ value: "true", label: t.reduced }]}
            chosen={search.reduced ? ["true"] : []}
            counts={[{ value: "true", count: facets.reduced }]}
          />
          <Checks
            name="featured"
            choices={[{ value: "true", label: t.featured }]}
            chosen={search.featured ? ["true"] : []}
            counts={[{ value: "true", count: facets.featured }]}
          />
        </div>
      </Group>
    </>
  );
}

/** The most frequent features first, and any chosen one that the list no longer has. */
function featureChoices(search: Search, facets: Facets): string[] {
  const frequent = [...facets.features].sort((a, b) => b.count - a.count).map(({ value }) => value);
  return [...new Set([...frequent, ...search.features])];
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset>
      <legend className="mb-1 font-semibold">{title}</legend>
      {children}
    </fieldset>
  );
}
