import { useQuery } from "@tanstack/react-query";
import { formatPounds } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { exchangeQuery } from "#app/lib/units/exchange.ts";
import { detailMessages } from "../detail-messages.ts";

/** What a price in euros comes to in pounds, at the editors' rate. */
export default function InPounds({ price }: { price: number }) {
  const locale = useLocale();
  const d = useMessages(detailMessages);
  const rate = useQuery(exchangeQuery(locale)).data?.body;
  if (!rate) return null;
  return <small>{d.inPounds(formatPounds(locale, price * rate.pounds))}</small>;
}
