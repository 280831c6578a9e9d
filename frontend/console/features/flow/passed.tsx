import { formatNumber } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Card } from "#app/ui/card.tsx";
import type { Passed } from "#console/lib/api/types.ts";
import { formatDuration } from "#console/lib/format/duration.ts";
import { Part } from "#console/ui/page.tsx";
import { flowMessages } from "./messages.ts";
import { barsPath, countsOf, SPAN_MS } from "./sparkline.ts";

const WIDTH = 600;
const HEIGHT = 64;

/** The messages published and pages rendered in the last quarter of an hour. */
export function PassedLately({ history }: { history: readonly Passed[] }) {
  const t = useMessages(flowMessages);
  return (
    <Part title={t.passed}>
      <div className="grid gap-4 md:grid-cols-2">
        <Sparkline
          name={t.published}
          history={history}
          kind="published"
          className="flow-bars-sun"
        />
        <Sparkline name={t.rendered} history={history} kind="rendered" className="flow-bars-sea" />
      </div>
    </Part>
  );
}

interface SparklineProps {
  name: string;
  history: readonly Passed[];
  kind: "published" | "rendered";
  className: string;
}

function Sparkline({ name, history, kind, className }: SparklineProps) {
  const t = useMessages(flowMessages);
  const locale = useLocale();
  const { bars, lastMinute, all } = countsOf(history, kind);
  return (
    <Card className="p-5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 className="font-sans font-semibold">{name}</h3>
        <p className="text-sm text-muted tabular-nums">
          {t.counts(formatNumber(locale, lastMinute), formatNumber(locale, all))}
        </p>
      </div>
      <svg
        aria-hidden="true"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className={`flow-bars ${className}`}
      >
        <path d={barsPath(bars, WIDTH, HEIGHT)} />
      </svg>
      <p
        aria-hidden="true"
        className="flex justify-between border-t border-line pt-1.5 text-xs text-muted"
      >
        <span>{t.before(formatDuration(locale, SPAN_MS))}</span>
        <span>{t.now}</span>
      </p>
    </Card>
  );
}
