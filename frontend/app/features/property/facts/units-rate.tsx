import { useQuery } from "@tanstack/react-query";
import { formatDate } from "#app/lib/format/date.ts";
import { formatNumber } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { exchangeQuery } from "#app/lib/units/exchange.ts";
import { detailMessages } from "../detail-messages.ts";

/** At which rate pounds were worked out, of which day. */
export default function UnitsRate() {
  const locale = useLocale();
  const d = useMessages(detailMessages);
  const rate = useQuery(exchangeQuery(locale)).data?.body;
  if (!rate) return null;
  const { name, date } = rate.source;
  return d.rateOf(formatNumber(locale, rate.pounds), date && formatDate(locale, date), name);
}
