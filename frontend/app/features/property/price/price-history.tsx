import type { PropertyDetail } from "#app/lib/api/types.ts";
import { formatDate } from "#app/lib/format/date.ts";
import { formatPercent, formatPrice } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { statusNames } from "#app/lib/vocabulary/names.gen.ts";
import { detailMessages } from "../detail-messages.ts";
import { sectionMessages } from "../facts/section-messages.ts";
import { propertyMessages } from "../messages.ts";
import { type PriceStep, priceSteps } from "./price-steps.ts";

/** What was asked for it since it was listed; a home whose price never moved has no history. */
export function PriceHistory({ property }: { property: PropertyDetail }) {
  const m = useMessages(sectionMessages);
  const steps = priceSteps(property.history);
  if (steps.length < 2) return null;
  return (
    <section aria-labelledby="history" className="print:hidden">
      <h2 id="history" className="text-heading">
        {m.history}
      </h2>
      <p className="mt-3 text-muted">{m.historyText}</p>
      <ol className="mt-5 max-w-xl border-l-2 border-line">
        {steps.map((step, index) => (
          <Step key={step.at} step={step} now={index === 0} before={steps[index + 1]} />
        ))}
      </ol>
    </section>
  );
}

interface StepProps {
  step: PriceStep;
  now: boolean;
  /** What held before; nothing before the first. */
  before: PriceStep | undefined;
}

function Step({ step, now, before }: StepProps) {
  const locale = useLocale();
  const t = useMessages(propertyMessages);
  const d = useMessages(detailMessages);
  const m = useMessages(sectionMessages);
  const statuses = useMessages(statusNames);
  const { at, price, status, change, raised } = step;
  const notes: string[] = [];
  if (!before) notes.push(m.historyFirst);
  else if (before.status !== status) notes.push(statuses[status]);
  if (change) {
    const by = raised ? m.raisedBy : d.reducedBy;
    notes.push(by(formatPrice(locale, change.amount), formatPercent(locale, change.percent)));
  }
  return (
    <li className="relative pb-5 pl-6 last:pb-0">
      <span
        aria-hidden="true"
        className={`absolute top-1.5 -left-[7px] size-3 rounded-full ring-4 ring-canvas ${now ? "bg-sun-strong" : "bg-line-strong"}`}
      />
      <p className="flex flex-wrap items-baseline gap-x-4">
        <span className={`tabular-nums ${now ? "font-semibold" : ""}`}>
          {price ? formatPrice(locale, price) : t.priceOnRequest}
        </span>
        <time dateTime={at} className="text-sm text-muted">
          {formatDate(locale, at)}
        </time>
      </p>
      {notes.length > 0 ? <p className="text-sm text-muted">{notes.join(" · ")}</p> : null}
    </li>
  );
}
