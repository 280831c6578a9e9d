import { formatNumber } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Moment } from "#console/ui/moment.tsx";
import { parkedMessages } from "./messages.ts";

interface TriedProps {
  /** Since when it waits, or when it was tried last: the column says which. */
  at: string;
  tries: number;
  /** When it is tried again; null where only a hint has it be, left out where nothing does by itself. */
  nextTry?: string | null;
}

/** When something came or was tried, how often it was, and when it is again. */
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
