import { useQuery } from "@tanstack/react-query";
import { formatDate } from "#app/lib/format/date.ts";
import { formatNumber } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { exchangeQuery } from "./exchange.ts";
import { formatPounds, formatSquareFeet } from "./imperial-figures.ts";
import { unitMessages } from "./messages.ts";

export interface ImperialProps {
  /** In euros. */
  price?: number | null | undefined;
  /** In square metres. */
  area?: number | null | undefined;
  /** Shows the rate itself, with its day and source. */
  rate?: true;
}

/** Shows a price in pounds at the editors' rate, an area in square feet, or the rate. */
export default function Imperial({ price, area, rate }: ImperialProps) {
  const locale = useLocale();
  const t = useMessages(unitMessages);
  const exchange = useQuery({ ...exchangeQuery(locale), enabled: !area }).data?.body;
  if (area) return <small>{formatSquareFeet(locale, area)}</small>;
  if (!exchange) return null;
  if (price) return <small>{t.inPounds(formatPounds(locale, price * exchange.value))}</small>;
  const { value, date, source } = exchange;
  if (!rate) return null;
  return <span>{t.rateOf(formatNumber(locale, value), formatDate(locale, date), source)}</span>;
}
