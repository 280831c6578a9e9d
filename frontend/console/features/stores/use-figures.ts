import { formatNumber, formatPercent } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { formatBytes } from "#console/lib/format/bytes.ts";
import { formatPosition } from "#console/lib/format/position.ts";

const NONE = "–";

/** Returns formatters for figures in fact lists. A missing figure becomes a dash. */
export function useFigures() {
  const locale = useLocale();
  return {
    figure: (value: number | null | undefined) =>
      value === null || value === undefined ? NONE : formatNumber(locale, value),
    position: (value: number | null | undefined) =>
      value === null || value === undefined ? NONE : formatPosition(value),
    bytes: (value: number | null | undefined) =>
      value === null || value === undefined ? NONE : formatBytes(locale, value),
    percent: (ratio: number | null | undefined) =>
      ratio === null || ratio === undefined ? NONE : formatPercent(locale, ratio * 100),
  };
}
