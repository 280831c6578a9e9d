import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { PropertyDetail } from "#app/lib/api/types.ts";
import { formatDate } from "#app/lib/format/date.ts";
import { formatPercent, formatPrice } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { NEWEST_OFFERS } from "#app/lib/property/history.ts";
import { historyQuery } from "#app/lib/property/queries.ts";
import { statusNames } from "#app/lib/vocabulary/names.gen.ts";
import { Icon } from "#app/ui/icon.tsx";
import { detailMessages } from "../detail-messages.ts";
import { sectionMessages } from "../facts/section-messages.ts";
import { propertyMessages } from "../messages.ts";
import { type PriceStep, priceSteps } from "./price-steps.ts";

/** The asking prices since the home was listed; nothing if the price never changed. */
export function PriceHistory({ property }: { property: PropertyDetail }) {
  const m = useMessages(sectionMessages);
  const { ref, history, earlierOffers } = property;
  const steps = priceSteps(history);
  if (steps.length < 2) return null;
  return (
    <section aria-labelledby="history" className="print:hidden">
      <h2 id="history" className="text-heading">
        {m.history}
      </h2>
      <p className="mt-3 text-muted">{earlierOffers ? m.historyNewest : m.historyText}</p>
      <Steps steps={steps} end={earlierOffers ? NEWEST_OFFERS : steps.length} />
      {earlierOffers ? <EarlierSteps reference={ref} count={earlierOffers} /> : null}
    </section>
  );
}

/** The steps before the newest ones. The document omits them for its size, so they are loaded when opened. */
function EarlierSteps({ reference, count }: { reference: string; count: number }) {
  const m = useMessages(sectionMessages);
  const details = useRef<HTMLDetailsElement>(null);
  const [isOpen, setOpen] = useState(false);
  // It may have been opened before hydration.
  useEffect(() => setOpen(details.current?.open === true), []);
  const { data, isError } = useQuery({ ...historyQuery(reference), enabled: isOpen });
  return (
    <details
      ref={details}
      className="fold noscript:hidden"
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        {m.historyEarlier(count)}
        <Icon name="chevron" />
      </summary>
      {data ? (
        <Steps steps={priceSteps(data.body)} start={NEWEST_OFFERS} />
      ) : isOpen ? (
        <p role="status" className="mt-2">
          {isError ? m.historyFailed : m.historyLoading}
        </p>
      ) : null}
    </details>
  );
}

interface StepsProps {
  /** All known steps, the newest first. */
  steps: readonly PriceStep[];
  /** The range of steps to show; `end` is exclusive. */
  start?: number;
  end?: number;
}

function Steps({ steps, start = 0, end = steps.length }: StepsProps) {
  return (
    <ol className="price-steps mt-5 border-l-2 border-line text-base">
      {steps.slice(start, end).map((step, index) => (
        <Step
          key={step.at}
          step={step}
          now={start + index === 0}
          before={steps[start + index + 1]}
        />
      ))}
    </ol>
  );
}

interface StepProps {
  step: PriceStep;
  now: boolean;
  /** The previous step; undefined for the first. */
  before: PriceStep | undefined;
}

function Step({ step, now, before }: StepProps) {
  const locale = useLocale();
  const t = useMessages(propertyMessages);
  const d = useMessages(detailMessages);
  const m = useMessages(sectionMessages);
  const statuses = useMessages(statusNames);
  const { at, price, status, change, raised } = step;
  const priceText = price ? formatPrice(locale, price) : t.priceOnRequest;
  const notes: string[] = [];
  if (!before) notes.push(m.historyFirst);
  else if (before.status !== status) notes.push(statuses[status]);
  if (change) {
    const by = raised ? m.raisedBy : d.reducedBy;
    notes.push(by(formatPrice(locale, change.amount), formatPercent(locale, change.percent)));
  }
  return (
    <li>
      {now ? (
        <span
          aria-hidden="true"
          className="absolute top-1.5 -left-[7px] size-3 rounded-full bg-sun-strong"
        />
      ) : null}
      <p>
        {now ? <b className="font-semibold">{priceText}</b> : <span>{priceText}</span>}{" "}
        <time dateTime={at}>{formatDate(locale, at)}</time>
      </p>
      {notes.length > 0 ? <p>{notes.join(" · ")}</p> : null}
    </li>
  );
}
