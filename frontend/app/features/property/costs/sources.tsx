import { formatCents, formatNumber, formatPercent } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Icon } from "#app/ui/icon.tsx";
import type { Figure } from "./figures.ts";
import { costMessages } from "./messages.ts";

/** Each figure that a sum was worked out from, with its source and its day. */
export function Sources({ figures }: { figures: readonly Figure[] }) {
  const locale = useLocale();
  const t = useMessages(costMessages);
  const shownValue = ({ value, unit }: Figure) => {
    if (unit === "percent") return formatPercent(locale, value);
    if (unit === "per_mille_of_band") return t.promille(formatNumber(locale, value));
    return formatCents(locale, value);
  };
  return (
    <details className="group mt-4 text-sm">
      <summary className="inline-flex min-h-9 items-center gap-1.5 rounded-full font-medium hover:underline">
        {t.sources}
        <Icon name="chevron" className="size-4 transition-transform group-open:rotate-180" />
      </summary>
      <ul className="sources">
        {figures.map((figure) => (
          <li key={figure.key}>
            <b>{figure.label}</b>: {shownValue(figure)}
            <small>
              {figure.source} · <time dateTime={figure.date}>{figure.date}</time>
              {figure.caution ? ` · ${t.verify}` : ""}
            </small>
          </li>
        ))}
      </ul>
    </details>
  );
}
