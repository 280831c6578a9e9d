import { formatDate } from "#app/lib/format/date.ts";
import { formatPercent, formatPrice } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import type { Figure, Source } from "#app/lib/property/figures.ts";
import { Icon } from "#app/ui/icon.tsx";
import { costMessages } from "./messages.ts";

interface SourcesProps {
  sources: readonly Source[];
  /** The figures that the calculation used. */
  figures: readonly Figure[];
}

/** Lists the figures that a calculation used, by their source and the date of entry. */
export function Sources({ sources, figures }: SourcesProps) {
  const locale = useLocale();
  const t = useMessages(costMessages);
  const formatFigure = ({ value, unit }: Figure) => {
    if (unit === "%") return formatPercent(locale, value, 3);
    if (unit === "‰") return t.ofBand(formatPercent(locale, value / 10, 3));
    if (unit === "years") return t.inYears(value);
    return formatPrice(locale, value);
  };
  return (
    <details className="fold">
      <summary>
        {t.sources}
        <Icon name="chevron" />
      </summary>
      <ul>
        {sources.map(({ name, date }, place) => {
          const used = figures.filter(({ source }) => source === place);
          return used.length === 0 ? null : (
            <li key={`${name} ${date}`}>
              <p>{date ? `${name} · ${t.entered(formatDate(locale, date))}` : name}</p>
              <ul>
                {used.map((figure) => (
                  <li key={figure.label}>{`${figure.label}: ${formatFigure(figure)}`}</li>
                ))}
              </ul>
            </li>
          );
        })}
      </ul>
    </details>
  );
}
