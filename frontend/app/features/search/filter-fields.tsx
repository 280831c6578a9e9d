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
  /** Its depth in the tree that it is part of. */
  depth?: number;
}

/** The number of homes that each choice would show, by its value. */
type Counts = Readonly<Record<string, number>>;

interface ChecksProps {
  name: string;
  choices: readonly Choice[];
  counts: Counts;
  /** Shows two columns, for labels of one or two letters. */
  short?: boolean;
}

/** The indentation of a choice, by its depth. */
const INDENTS = ["", "pl-5", "pl-10"];

/** Checkboxes with the number of homes for each. One without homes can be ticked too. */
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

/** Checkboxes of which only the first few are shown. The others are folded until one of them is ticked. */
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
  /** The text that opens it. */
  title: string;
  /** Whether anything in it is chosen. */
  chosen: boolean;
  children: ReactNode;
}

/**
 * A part that is folded until something in it is chosen. Only the visitor closes it: after a box in it is
 * unticked with the keyboard, the focus is still there.
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
 * A select for a bound, with a few round numbers and the address's own value. It does not use the kit's
 * `Select`, whose hint and error are not needed here: every list would load their code.
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
