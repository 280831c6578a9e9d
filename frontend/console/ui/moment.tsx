import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { formatDuration } from "#console/lib/format/duration.ts";
import { formatFully, formatMoment } from "#console/lib/format/moment.ts";
import { uiMessages } from "./messages.ts";

/** A time in the operator's time zone. The tooltip has the full date and time. */
export function Moment({ at }: { at: string | null | undefined }) {
  const t = useMessages(uiMessages);
  const locale = useLocale();
  if (!at) return <span className="text-muted">{t.never}</span>;
  return (
    <time dateTime={at} title={formatFully(locale, at)} className="whitespace-nowrap">
      {formatMoment(locale, at, Date.now())}
    </time>
  );
}

/** A duration. */
export function Duration({ seconds }: { seconds: number | null | undefined }) {
  const t = useMessages(uiMessages);
  const locale = useLocale();
  if (!seconds) return <>{t.none}</>;
  return <span className="whitespace-nowrap">{formatDuration(locale, seconds * 1_000)}</span>;
}
