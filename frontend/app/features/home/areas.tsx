import type { Place } from "#app/lib/api/types.ts";
import { formatNumber } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { placePath } from "#app/lib/search/list-path.ts";
import { placeLabel } from "#app/lib/site/place-label.ts";
import { Link } from "#app/ui/link.tsx";
import { AreaCard } from "./area-card.tsx";
import { homeMessages } from "./messages.ts";

/** The number of cards: two rows on large screens. The remaining places are listed below as links. */
const CARD_COUNT = 8;

/** The places in the editors' order, the first ones as cards. */
export function Areas({ places }: { places: readonly Place[] }) {
  const locale = useLocale();
  const t = useMessages(homeMessages);
  const others = places.slice(CARD_COUNT);
  return (
    <>
      <ul className="grid grid-cols-2 gap-x-5 gap-y-8 md:grid-cols-4">
        {places.slice(0, CARD_COUNT).map((place) => (
          <li key={place.slug}>
            <AreaCard place={place} />
          </li>
        ))}
      </ul>
      {places.some(({ median }) => median) ? (
        <p className="mt-10 text-center text-sm text-muted">{t.mediansText}</p>
      ) : null}
      {others.length > 0 ? (
        <ul aria-label={t.otherAreas} className="mt-10 flex flex-wrap justify-center gap-2">
          {others.map(({ slug, name, count }) => (
            <li key={slug}>
              <Link to={placePath(slug)} className="place-link">
                {placeLabel(name)}
                <span>
                  <span aria-hidden="true">{formatNumber(locale, count)}</span>
                  <span className="sr-only">{t.properties(count)}</span>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
}
