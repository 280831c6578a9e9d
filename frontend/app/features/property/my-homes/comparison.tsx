import { useQuery } from "@tanstack/react-query";
import type { Answer } from "#app/lib/api/answer.ts";
import type { PropertyDetail } from "#app/lib/api/types.ts";
import { useFocusKept } from "#app/lib/browser/use-focus-kept.ts";
import { formatArea, formatPrice } from "#app/lib/format/format.ts";
import { foreignTag, type Locale, localizedPath, useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useMyHomes } from "#app/lib/my-homes/use-my-homes.ts";
import { needsEnergyRating } from "#app/lib/property/energy.ts";
import { propertyPath, propertyQuery } from "#app/lib/property/queries.ts";
import { isGone } from "#app/lib/query/api-query.ts";
import { useOrigin } from "#app/lib/seo/seo.tsx";
import { placeLabel } from "#app/lib/site/place-label.ts";
import type { ImperialProps } from "#app/lib/units/imperial.tsx";
import { ImperialFigure } from "#app/lib/units/imperial-figure.tsx";
import { useBothUnits } from "#app/lib/units/units.ts";
import { featureName } from "#app/lib/vocabulary/feature-names.ts";
import { kindNames, statusNames } from "#app/lib/vocabulary/names.gen.ts";
import { Link } from "#app/ui/link.tsx";
import { Picture } from "#app/ui/picture.tsx";
import { Table } from "#app/ui/table.tsx";
import { unratedText } from "../facts/energy-text.ts";
import { groupedFeatures } from "../facts/feature-groups.ts";
import { Letterhead } from "../share/letterhead.tsx";
import { EmptyList } from "./home-lists.tsx";
import { myHomesMessages } from "./messages.ts";
import { useChangeHome } from "./use-change-home.ts";

/** Compares up to four homes side by side, and marks the rows in which they differ. */
export function Comparison() {
  const locale = useLocale();
  const t = useMessages(myHomesMessages);
  const rows = useRows(locale);
  const origin = useOrigin();
  const references = [...useMyHomes().values()]
    .filter(({ compared }) => compared)
    .map(({ reference }) => reference)
    .sort();
  const [first, second, third, fourth] = references;
  const results = [useHome(first), useHome(second), useHome(third), useHome(fourth)].slice(
    0,
    references.length,
  );
  const focusProps = useFocusKept(references.length);
  if (references.length === 0) {
    return (
      <div {...focusProps}>
        <EmptyList title={t.noComparison} lead={t.noComparisonLead} />
      </div>
    );
  }
  const found = results.map(toComparedHome);
  const homes = found.map((each) => (typeof each === "string" ? undefined : each));
  return (
    <div {...focusProps}>
      <Letterhead url={origin + localizedPath(locale, "/")} />
      <Table caption={t.comparison} captionHidden className="comparison">
        <thead>
          <tr>
            <td />
            {references.map((reference, index) => (
              <th key={reference} scope="col">
                <HomeHead reference={reference} found={found[index]} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, format, imperialOf]) => {
            const values = homes.map((home) => home && format(home));
            const known = values.filter((value) => value !== undefined);
            const differs = new Set(known).size > 1;
            return (
              <tr key={name} data-differs={differs || undefined}>
                <th scope="row">
                  {name}
                  {differs ? <span className="comparison-mark">{t.differs}</span> : null}
                </th>
                {homes.map((home, index) => (
                  <td key={references[index]}>
                    {values[index] || t.none}
                    {home && imperialOf ? <InImperial {...imperialOf(home)} /> : null}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </Table>
    </div>
  );
}

/** A figure in pounds or square feet, below the metric one. Its space is reserved until it is loaded. */
function InImperial({ price, area }: ImperialProps) {
  const isWanted = useBothUnits();
  if (!isWanted || !(price || area)) return null;
  return (
    <span className="block font-normal text-muted" style={{ minHeight: "1lh" }}>
      <ImperialFigure price={price} area={area} />
    </span>
  );
}

function useHome(reference = "") {
  return useQuery({ ...propertyQuery(useLocale(), reference), enabled: reference !== "" });
}

/** A home to compare, or why it is not available. */
type ComparedHome = PropertyDetail | "gone" | "away" | "loading";

interface HomeResult {
  data?: Answer<PropertyDetail> | undefined;
  error: Error | null;
}

/** Converts the result of a home's query. If the home has left the site, cached data is ignored. */
export function toComparedHome({ data, error }: HomeResult): ComparedHome {
  if (isGone(error)) return "gone";
  return data?.body ?? (error ? "away" : "loading");
}

interface HomeHeadProps {
  reference: string;
  found: ComparedHome | undefined;
}

function HomeHead({ reference, found = "loading" }: HomeHeadProps) {
  const locale = useLocale();
  const t = useMessages(myHomesMessages);
  const change = useChangeHome(reference);
  const [cover] = typeof found === "string" ? [] : found.images;
  return (
    <>
      <span className="block aspect-4/3 overflow-hidden rounded-xl bg-sunk">
        {cover ? (
          <Picture picture={cover} sizes="14rem" className="size-full object-cover" />
        ) : null}
      </span>
      {typeof found === "string" ? (
        <span className="mt-2 block">{t[found]}</span>
      ) : (
        <Link
          to={propertyPath(found)}
          lang={foreignTag(found.language, locale)}
          className="text-link mt-2 line-clamp-3"
        >
          {found.title}
        </Link>
      )}
      <span className="mt-1 block text-sm font-normal text-muted">{reference}</span>
      <button
        type="button"
        className="text-link mt-1 min-h-11 text-sm font-normal print:hidden"
        aria-label={t.remove(reference)}
        onClick={() => change({ compared: false })}
      >
        {t.removeShort}
      </button>
    </>
  );
}

/** Returns a home's features as one line. Like on its page, redundant features are merged. */
export function featureLine(features: readonly string[], locale: Locale): string {
  return groupedFeatures(features.toSorted())
    .flatMap((group) => group.features)
    .map((feature) => featureName(feature, locale))
    .map((name, index) => (index === 0 ? name : name.charAt(0).toLowerCase() + name.slice(1)))
    .join(", ");
}

type Row = readonly [
  name: string,
  format: (home: PropertyDetail) => string,
  /** The value to show in pounds or square feet too. */
  imperialOf?: (home: PropertyDetail) => ImperialProps,
];

/** Returns the rows of the comparison, in the order of the property page. */
function useRows(locale: Locale): readonly Row[] {
  const t = useMessages(myHomesMessages);
  const kinds = useMessages(kindNames);
  const statuses = useMessages(statusNames);
  const area = (metres: number | null | undefined) => (metres ? formatArea(locale, metres) : "");
  const count = (value: number | null | undefined) => (value ? String(value) : "");
  return [
    [
      t.price,
      ({ price }) => (price ? formatPrice(locale, price) : t.onRequest),
      ({ price }) => ({ price }),
    ],
    [
      t.perMetre,
      ({ price, builtArea }) =>
        price && builtArea ? formatPrice(locale, Math.round(price / builtArea)) : "",
    ],
    [t.status, ({ status }) => statuses[status]],
    [t.place, ({ location }) => placeLabel(location.name)],
    [t.kind, ({ kind }) => kinds[kind]],
    [t.bedrooms, ({ bedrooms }) => count(bedrooms)],
    [t.bathrooms, ({ bathrooms }) => count(bathrooms)],
    [t.built, ({ builtArea }) => area(builtArea), ({ builtArea }) => ({ area: builtArea })],
    [t.plot, ({ plotArea }) => area(plotArea), ({ plotArea }) => ({ area: plotArea })],
    [
      t.terrace,
      ({ terraceArea }) => area(terraceArea),
      ({ terraceArea }) => ({ area: terraceArea }),
    ],
    [t.year, ({ yearBuilt }) => count(yearBuilt)],
    [
      t.energy,
      ({ kind, energy }) => {
        if (!energy || !needsEnergyRating(kind)) return "";
        return unratedText(energy, locale)?.name ?? energy.rating;
      },
    ],
    [t.features, ({ features }) => featureLine(features, locale)],
  ];
}
