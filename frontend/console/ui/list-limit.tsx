import { formatNumber } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { uiMessages } from "./messages.ts";

/** Shows the length of a list and its maximum, so that a full list does not look complete. */
export function ListLimit({ count, max }: { count: number; max: number }) {
  const t = useMessages(uiMessages);
  const locale = useLocale();
  const bound = formatNumber(locale, max);
  return (
    <p className="text-sm text-muted">
      {count >= max ? t.full(bound) : t.listed(count, formatNumber(locale, count), bound)}
    </p>
  );
}
