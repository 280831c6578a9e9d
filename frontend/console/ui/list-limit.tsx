import { formatNumber } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { uiMessages } from "./messages.ts";

/** How many a list shows, and how many it could: what is not listed is not said to be nothing. */
export function ListLimit({ count, most }: { count: number; most: number }) {
  const t = useMessages(uiMessages);
  const locale = useLocale();
  const bound = formatNumber(locale, most);
  return (
    <p className="text-sm text-muted">
      {count >= most ? t.full(bound) : t.listed(count, formatNumber(locale, count), bound)}
    </p>
  );
}
