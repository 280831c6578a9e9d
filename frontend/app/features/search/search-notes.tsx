import type { PropertyList } from "#app/lib/api/types.ts";
import { defineMessages, useMessages } from "#app/lib/i18n/messages.ts";
import type { Search } from "#app/lib/search/search-params.ts";
import { placeLabel } from "#app/lib/site/place-label.ts";
import { useSite } from "#app/lib/site/site-query.ts";
import { unquoted } from "./messages.ts";
import NoRentals from "./no-rentals.tsx";

const messages = defineMessages({
  en: {
    leftOut: (text: string) =>
      `Shown without “${unquoted(text)}”: none of these properties mentions it.`,
    ruledOut: (text: string) => `We can’t search by “${unquoted(text)}”.`,
    gone: (place: string) => `“${place}” is no longer one of our areas. You can remove it below.`,
  },
  es: {
    leftOut: (text) =>
      `Se muestra sin «${unquoted(text)}»: ninguno de estos inmuebles lo menciona.`,
    ruledOut: (text) => `No podemos buscar por «${unquoted(text)}».`,
    gone: (place) => `Aquí ya no hay ninguna zona «${place}». Puede quitarla más abajo.`,
  },
});

interface SearchNotesProps {
  search: Pick<Search, "location" | "notLocation">;
  list: Pick<PropertyList, "understood" | "leftOut" | "ruledOut">;
}

/**
 * States which parts of a search were ignored: homes to rent, text that no home matches, text that no
 * filter can express, or a place that does not exist any more.
 */
export default function SearchNotes({ search, list }: SearchNotesProps) {
  const { understood, leftOut, ruledOut } = list;
  const { locations } = useSite();
  const t = useMessages(messages);
  const asksToRent = understood.some(({ parameter }) => parameter === "rent");
  const gone = [...search.location, ...search.notLocation].filter((named) =>
    locations.every(({ slug }) => slug !== named),
  );
  return (
    <>
      {asksToRent ? <NoRentals /> : null}
      {leftOut ? <p className="text-sm wrap-anywhere">{t.leftOut(leftOut)}</p> : null}
      {ruledOut ? <p className="text-sm wrap-anywhere">{t.ruledOut(ruledOut)}</p> : null}
      {gone.map((place) => (
        <p key={place} className="text-sm wrap-anywhere">
          {t.gone(placeLabel(place))}
        </p>
      ))}
    </>
  );
}
