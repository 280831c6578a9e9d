import { type ReactNode, useEffect, useRef, useState } from "react";
import { formatNumber } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Icon } from "#app/ui/icon.tsx";
import { useFilterField } from "./filter-draft.ts";
import { filterMessages } from "./filter-messages.ts";

export interface Choice {
  value: string;
  label: string;
  /** How deep it stands in what it is part of. */
  depth?: number;
}

/** How many homes each choice would show, by its value. */
type Counts = Readonly<Record<string, number>>;

interface ChecksProps {
  name: string;
  choices: readonly Choice[];
  counts: Counts;
  /** In two columns: for labels of a letter or two. */
  short?: boolean;
}

/** By depth, how far a choice stands in. */
const INDENTS = ["", "pl-5", "pl-10"];

/** Boxes to tick, with how many homes each stands for. One that stands for none can be ticked too. */
export function Checks({ name, choices, counts, short = false }: ChecksProps) {
  const locale = useLocale();
  const { values: chosen, change } = useFilterField(name);
  const tick = (value: string, ticked: boolean) =>
    change(ticked ? [...chosen, value] : chosen.filter((other) => other !== value));
  return (
    <ul className={short ? "checks grid grid-cols-2 gap-x-6" : "checks"}>
      {choices.map(({ value, label, depth = 0 }) => {
        const count = counts[value] ?? 0;
        const dim = count === 0 && !chosen.includes(value);
        return (
          <li key={value} className={INDENTS[Math.min(depth, INDENTS.length - 1)] || undefined}>
            <label className={dim ? "check-none" : undefined}>
              <input
                type="checkbox"
                name={name}
                value={value}
                checked={chosen.includes(value)}
                onChange={(event) => tick(value, event.currentTarget.checked)}
              />
              <span>{label}</span>
              <small>{formatNumber(locale, count)}</small>
            </label>
          </li>
        );
      })}
    </ul>
  );
}

/** Boxes of which the first few are in sight, and any that is ticked. */
export function LongChecks({ first, ...checks }: ChecksProps & { first: number }) {
  const t = useMessages(filterMessages);
  const { choices, name } = checks;
  const { values: chosen } = useFilterField(name);
  const rest = choices.slice(first);
  if (rest.length === 0) return <Checks {...checks} />;
  return (
    <>
      <Checks {...checks} choices={choices.slice(0, first)} />
      <Fold title={t.expand} chosen={rest.some(({ value }) => chosen.includes(value))}>
        <Checks {...checks} choices={rest} />
      </Fold>
    </>
  );
}

interface FoldProps {
  /** What opens it. */
  title: string;
  /** Whether anything in it is chosen. */
  chosen: boolean;
  children: ReactNode;
}

/**
 * A part that is folded away until something in it is chosen. Only the visitor closes it: whoever unticks
 * a box in it by keys still stands there.
 */
export function Fold({ title, chosen, children }: FoldProps) {
  const details = useRef<HTMLDetailsElement>(null);
  const [openAtFirst] = useState(chosen);
  useEffect(() => {
    if (chosen && details.current) details.current.open = true;
  }, [chosen]);
  return (
    <details ref={details} className="group mt-1" open={openAtFirst}>
      <summary className="flex min-h-9 items-center gap-1.5 font-medium">
        {title}
        <Icon name="chevron" className="size-4 transition-transform group-open:rotate-180" />
      </summary>
      {children}
    </details>
  );
}

interface NumberSelectProps {
  name: string;
  label: string;
  any: string;
  values: readonly number[];
  counts: Counts;
  show: (value: number) => string;
}

/**
 * A bound from a few round numbers; one that came by the address is kept among them. Plain, and not the
 * kit's `Select`, whose hint and error nothing here has: every list would load them.
 */
export function NumberSelect({ name, label, any, values, counts, show }: NumberSelectProps) {
  const locale = useLocale();
  const field = useFilterField(name);
  const [value = ""] = field.values;
  const offered =
    value === "" || values.includes(Number(value))
      ? values
      : [...values, Number(value)].sort((a, b) => a - b);
  return (
    <label className="block">
      <span className="font-semibold">{label}</span>
      <select
        name={name}
        value={value}
        onChange={(event) => field.change([event.currentTarget.value].filter(Boolean))}
        className="field mt-1 tabular-nums"
      >
        <option value="">{any}</option>
        {offered.map((each) => {
          const count = counts[each];
          return (
            <option key={each} value={each}>
              {count === undefined ? show(each) : `${show(each)} (${formatNumber(locale, count)})`}
            </option>
          );
        })}
      </select>
    </label>
  );
}
