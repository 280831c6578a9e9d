import type { PropertyList } from "#app/lib/api/types.ts";
import { defineMessages, useMessages } from "#app/lib/i18n/messages.ts";
import { unquoted } from "./messages.ts";
import NoRentals from "./no-rentals.tsx";

const messages = defineMessages({
  en: {
    leftOut: (text: string) => `Shown without “${unquoted(text)}”, which we found nowhere.`,
    ruledOut: (text: string) => `We can’t search by “${unquoted(text)}”.`,
  },
  es: {
    leftOut: (text) => `Se muestra sin «${unquoted(text)}», que no hemos encontrado.`,
    ruledOut: (text) => `No podemos buscar por «${unquoted(text)}».`,
  },
});

interface SearchNotesProps {
  list: Pick<PropertyList, "understood" | "leftOut" | "ruledOut">;
}

/** What was asked for and is not looked for: there is none to rent, nothing has it, or no filter can say it. */
export default function SearchNotes({ list: { understood, leftOut, ruledOut } }: SearchNotesProps) {
  const t = useMessages(messages);
  const asksToRent = understood.some(({ parameter }) => parameter === "rent");
  return (
    <>
      {asksToRent ? <NoRentals /> : null}
      {leftOut ? <p className="text-sm wrap-anywhere">{t.leftOut(leftOut)}</p> : null}
      {ruledOut ? <p className="text-sm wrap-anywhere">{t.ruledOut(ruledOut)}</p> : null}
    </>
  );
}
