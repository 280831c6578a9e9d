import { formatNumber } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Moment } from "#console/ui/moment.tsx";
import { parkedMessages } from "./messages.ts";

interface TriedProps {
  /** When it arrived, or when it was last tried: the column's heading says which. */
  at: string;
  tries: number;
  /** When it is tried next; null if only a hint leads to another try, omitted if nothing does by itself. */
  nextTry?: string | null;
}

/** When something arrived or was last tried, the number of tries, and when the next one is. */
export function Tried({ at, tries, nextTry }: TriedProps) {
  const t = useMessages(parkedMessages);
  const locale = useLocale();
  return (
    <span>
      <Moment at={at} />
      <span className="block text-sm whitespace-nowrap text-muted">
        {t.times(tries, formatNumber(locale, tries))}
      </span>
      {nextTry === undefined ? null : (
        <span className="block text-sm text-muted">
          {nextTry === null ? (
            t.byHint
          ) : (
            <>
              {t.next} <Moment at={nextTry} />
            </>
          )}
        </span>
      )}
    </span>
  );
}
