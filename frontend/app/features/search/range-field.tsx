import type { ChangeEvent } from "react";
import { useHydrated } from "#app/lib/browser/use-hydrated.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { TYPING_DELAY_MS, useFilterField } from "./filter-draft.ts";
import { filterMessages } from "./filter-messages.ts";
import { maxThumbStep, mergeThinBuckets, minThumbStep, type Spread } from "./range-steps.ts";

interface RangeFieldProps {
  label: string;
  unit: string;
  /** The names of the two bounds in the address. */
  names: readonly [min: string, max: string];
  spread: Spread;
  show: (value: number) => string;
}

/**
 * Two bounds: text fields, which the form submits, and above them a histogram of the homes with a thumb for
 * each bound.
 */
export function RangeField({ label, unit, names, spread: given, show }: RangeFieldProps) {
  const t = useMessages(filterMessages);
  const fields = { min: useFilterField(names[0]), max: useFilterField(names[1]) };
  const written = { min: fields.min.values[0] ?? "", max: fields.max.values[0] ?? "" };
  const write = (bound: "min" | "max", value: string) =>
    fields[bound].change(value === "" ? [] : [value], TYPING_DELAY_MS);
  // The thumbs do nothing before hydration.
  const isHydrated = useHydrated();
  const spread = mergeThinBuckets(given);
  const edges = spread.from;
  const last = edges.length;
  const from = minThumbStep(edges, written.min);
  const to = Math.max(maxThumbStep(edges, written.max), from);
  const text = (step: number) => {
    const edge = edges[step];
    return step === 0 || edge === undefined ? t.noLimit : show(edge);
  };
  const drag = (bound: "min" | "max") => (event: ChangeEvent<HTMLInputElement>) => {
    const step = Number(event.currentTarget.value);
    const index = bound === "min" ? Math.min(step, to - 1) : Math.max(step, from + 1);
    const isOpen = bound === "min" ? index <= 0 : index >= last;
    write(bound, isOpen ? "" : String(edges[index]));
  };
  const thumb = (bound: "min" | "max", step: number, name: string) => (
    <input
      type="range"
      min={0}
      max={last}
      value={step}
      onChange={drag(bound)}
      disabled={!isHydrated}
      aria-label={name}
      aria-valuetext={text(step)}
      className="range-thumb"
    />
  );
  const field = (bound: "min" | "max", name: string, title: string) => (
    <label className="block">
      <span className="text-sm text-muted">{title}</span>
      <input
        name={name}
        inputMode="numeric"
        autoComplete="off"
        maxLength={14}
        value={written[bound]}
        onChange={(event) => write(bound, event.currentTarget.value)}
        placeholder={t.noLimit}
        className="field mt-1 tabular-nums"
      />
    </label>
  );
  return (
    <fieldset>
      <legend className="mb-1 font-semibold">
        {label} <span className="font-normal text-muted">({unit})</span>
      </legend>
      {edges.length > 1 ? (
        <div className="noscript:hidden">
          <Histogram counts={spread.counts} from={from} to={to} />
          <div className="range-track">
            {thumb("min", from, t.minOf(label))}
            {thumb("max", to, t.maxOf(label))}
          </div>
        </div>
      ) : null}
      <div className="grid grid-cols-2 gap-3">
        {field("min", names[0], t.min)}
        {field("max", names[1], t.max)}
      </div>
    </fieldset>
  );
}

const HEIGHT = 48;
/** Keeps a bar of a single home visible. */
const MIN_HEIGHT = 2;

interface HistogramProps {
  /** The number of homes in each bucket. */
  counts: readonly number[];
  /** The steps of the two bounds. */
  from: number;
  to: number;
}

/** Draws a bar for each bucket, those within the bounds in colour. */
function Histogram({ counts, from, to }: HistogramProps) {
  const highest = Math.max(1, ...counts);
  const bars = (first: number, end: number) =>
    counts
      .slice(first, end)
      .map((count, index) => {
        if (count === 0) return "";
        const height = Math.max(MIN_HEIGHT, Math.round((count / highest) * HEIGHT));
        return `M${first + index} ${HEIGHT}v-${height}h.9v${height}z`;
      })
      .join("");
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${counts.length} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="h-12 w-full px-2.5"
    >
      <path className="fill-line" d={bars(0, from) + bars(to, counts.length)} />
      <path className="fill-sun-strong" d={bars(from, to)} />
    </svg>
  );
}
