import type { PlaceText as Text } from "#app/lib/api/types.ts";
import { foreignTag, useLocale } from "#app/lib/i18n/locale.ts";
import { defineMessages, useMessages } from "#app/lib/i18n/messages.ts";
import { Icon } from "#app/ui/icon.tsx";
import { Link } from "#app/ui/link.tsx";
import { Prose } from "#app/ui/prose.tsx";

const messages = defineMessages({
  en: {
    aboutPlace: (place: string) => `About ${place}`,
    placeGuide: (place: string) => `Our introduction to ${place}`,
  },
  es: {
    aboutPlace: (place) => `Sobre ${place}`,
    placeGuide: (place) => `Nuestra introducción a ${place}`,
  },
});

/** The editors' description of a place, shown below its homes. */
export function PlaceText({ place }: { place: Text }) {
  const lang = foreignTag(place.language, useLocale());
  const t = useMessages(messages);
  if (!place.description && !place.page) return null;
  return (
    <section aria-labelledby="place" className="mt-16 border-t border-line pt-12">
      <h2 id="place" className="text-heading">
        {t.aboutPlace(place.name)}
      </h2>
      {place.description ? <Prose html={place.description} lang={lang} className="mt-5" /> : null}
      {place.page ? (
        <Link to={`/${place.page}`} className="text-link icon-link mt-5">
          {t.placeGuide(place.name)}
          <Icon name="arrow" className="size-4.5" />
        </Link>
      ) : null}
    </section>
  );
}
