import type { PropertyList } from "#app/lib/api/types.ts";
import { formatNumber } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { placePath } from "#app/lib/search/list-path.ts";
import { EVERYTHING, searchPath } from "#app/lib/search/search-params.ts";
import { placeLabel } from "#app/lib/site/place-label.ts";
import { featureName } from "#app/lib/vocabulary/feature-names.ts";
import { kindPlurals, typePlurals } from "#app/lib/vocabulary/names.gen.ts";
import { Link } from "#app/ui/link.tsx";
import { placeMessages } from "./place-messages.ts";
import { placePages } from "./place-pages.ts";

const MAX_FEATURES = 5;

interface PlaceName {
  slug: string;
  name: string;
}

interface PlaceLinksProps {
  place: PlaceName;
  heading: string;
  facets: PropertyList["facets"];
  /** The places within this one. */
  parts: readonly PlaceName[];
  /** The places that contain it, the smallest first. */
  around: readonly PlaceName[];
  /** The number of sold homes. */
  sold: number;
}

/** Names the most frequent features of a list's homes, and links to the other lists of its place. */
export function PlaceLinks({ place, heading, facets, parts, around, sold }: PlaceLinksProps) {
  const locale = useLocale();
  const t = useMessages(placeMessages);
  const types = useMessages(typePlurals);
  const kinds = useMessages(kindPlurals);
  const features = Object.entries(facets.features)
    .filter(([, count]) => count > 0)
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_FEATURES)
    .map(
      ([feature, count]) =>
        `${featureName(feature, locale).toLowerCase()} (${formatNumber(locale, count)})`,
    );
  return (
    <section aria-labelledby="place-links" className="mt-16 border-t border-line pt-12">
      <h2 id="place-links" className="text-heading">
        {t.placesIn(place.name)}
      </h2>
      {features.length > 0 ? (
        <p className="mt-4 max-w-[65ch] text-muted">{t.often(heading, features.join(", "))}</p>
      ) : null}
      {parts.length > 0 ? (
        <ul aria-label={t.parts(place.name)} className="mt-5 flex flex-wrap gap-2">
          {parts.map(({ slug, name }) => (
            <li key={slug}>
              <Link to={placePath(slug)} className="place-link">
                {placeLabel(name)}
                <span>{formatNumber(locale, facets.location[slug] ?? 0)}</span>
              </Link>
            </li>
          ))}
        </ul>
      ) : null}
      <ul className="mt-5 flex flex-wrap gap-2">
        {[place, ...around].map(({ slug, name }) => (
          <li key={slug}>
            <Link to={placePath(slug)} className="place-link">
              {t.all(name)}
            </Link>
          </li>
        ))}
        {placePages(place.slug, facets).map(({ what, path, count }) => (
          <li key={path}>
            <Link to={path} className="place-link">
              {"type" in what ? types[what.type] : kinds[what.kind]}
              <span>{formatNumber(locale, count)}</span>
            </Link>
          </li>
        ))}
        {sold > 0 ? (
          <li>
            <Link
              to={searchPath({ ...EVERYTHING, location: [place.slug], status: ["sold"] })}
              className="place-link"
            >
              {t.sold(place.name)}
              <span>{formatNumber(locale, sold)}</span>
            </Link>
          </li>
        ) : null}
      </ul>
    </section>
  );
}
