import type { Place } from "#app/lib/api/types.ts";
import { formatPrice } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { placePath } from "#app/lib/search/list-path.ts";
import { placeLabel } from "#app/lib/site/place-label.ts";
import { Link } from "#app/ui/link.tsx";
import { Picture } from "#app/ui/picture.tsx";
import { homeMessages } from "./messages.ts";

/** A link to a place, with its picture in an arch. */
export function AreaCard({ place }: { place: Place }) {
  const locale = useLocale();
  const t = useMessages(homeMessages);
  return (
    <Link to={placePath(place.slug)} className="group block">
      <span className="arch block aspect-3/4 bg-line">
        {place.image ? (
          <Picture
            picture={place.image}
            alt=""
            sizes="(min-width: 80rem) 32rem, (min-width: 48rem) 40vw, 60vw"
            className="zoom"
          />
        ) : null}
      </span>
      <span className="mt-4 block text-center font-display text-xl leading-tight decoration-sun-strong decoration-2 underline-offset-4 group-hover:underline">
        {placeLabel(place.name)}
      </span>
      <span className="block text-center text-sm text-muted tabular-nums">
        {t.properties(place.count)}
        {place.median ? (
          <span className="block">
            {t.median(place.median.homes, formatPrice(locale, place.median.euros))}
          </span>
        ) : null}
      </span>
    </Link>
  );
}
