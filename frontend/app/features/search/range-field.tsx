import type { ChangeEvent } from "react";
import { useHydrated } from "#app/lib/browser/use-hydrated.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useFilterField, WRITING_MS } from "./filter-draft.ts";
import { filterMessages } from "./filter-messages.ts";
import { gatheredSpread, type Spread, stepOfLeast, stepOfMost } from "./range-steps.ts";

interface RangeFieldProps {
  label: string;
  unit: string;
  /** The names of the two bounds in the address. */
  names: readonly [least: string, most: string];
  spread: Spread;
  show: (value: number) => string;
}

/**
 * Two bounds: fields to write in, which are what the form sends, and over them how many homes lie
 * where, with a thumb for each bound.
 */
export function RangeField({ label, unit, names, spread: given, show }: RangeFieldProps) {
  const t = useMessages(filterMessages);
  const fields = { least: useFilterField(names[0]), most: useFilterField(names[1]) };
  const written = { least: fields.least.values[0] ?? "", most: fields.most.values[0] ?? "" };
  const write = (bound: "least" | "most", value: string) =>
    fields[bound].change(value === "" ? [] : [value], WRITING_MS);
  // A thumb does nothing without its script.
  const isHydrated = useHydrated();
  const spread = gatheredSpread(given);
  const edges = spread.from;
  const last = edges.length;
  const from = stepOfLeast(edges, written.least);
  const to = Math.max(stepOfMost(edges, written.most), from);
  const text = (step: number) => {
    const edge = edges[step];
    return step === 0 || edge === undefined ? t.noLimit : show(edge);
  };
  const pull = (bound: "least" | "most") => (event: ChangeEvent<HTMLInputElement>) => {
    const step = Number(event.currentTarget.value);
    const index = bound === "least" ? Math.min(step, to - 1) : Math.max(step, from + 1);
    const none = bound === "least" ? index <= 0 : index >= last;
    write(bound, none ? "" : String(edges[index]));
  };
  const thumb = (bound: "least" | "most", step: number, name: string) => (
    <input
      type="range"
      min={0}
      max={last}
      value={step}
      onChange={pull(bound)}
      disabled={!isHydrated}
      aria-label={name}
      aria-valuetext={text(step)}
      className="range-thumb"
    />
  );
  const field = (bound: "least" | "most", name: string, title: string) => (
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
            {thumb("least", from, t.leastOf(label))}
            {thumb("most", to, t.mostOf(label))}
          </div>
        </div>
      ) : null}
      <div className="grid grid-cols-2 gap-3">
        {field("least", names[0], t.least)}
        {field("most", names[1], t.most)}
      </div>
    </fieldset>
  );
}

const HEIGHT = 48;
/** One home is still seen. */
const MIN_HEIGHT = 2;

interface HistogramProps {
  /** How many homes each bucket has. */
  counts: readonly number[];
  /** The steps that the bounds let in. */
  from: number;
  to: number;
}

/** How many homes lie where: a bar for each bucket, the chosen ones in colour. */
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
