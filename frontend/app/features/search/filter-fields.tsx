import { formatNumber } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";

export interface Choice {
  value: string;
  label: string;
}

interface ChecksProps {
  name: string;
  choices: readonly Choice[];
  chosen: readonly string[];
  /** How many homes each choice would show. */
  counts?: readonly { value: string; count: number }[];
}

/** Boxes to tick, with how many homes each stands for. */
export function Checks({ name, choices, chosen, counts }: ChecksProps) {
  const locale = useLocale();
  return (
    <ul>
      {choices.map(({ value, label }) => {
        const count = counts?.find((each) => each.value === value)?.count ?? 0;
        return (
          <li key={value}>
            <label className="flex min-h-9 cursor-pointer items-center gap-2.5">
              <input
                type="checkbox"
                name={name}
                value={value}
                defaultChecked={chosen.includes(value)}
                className="size-4.5 accent-sun-strong"
              />
              <span className="flex-1">{label}</span>
              {counts ? (
                <span className="text-sm text-muted tabular-nums">
                  {formatNumber(locale, count)}
                </span>
              ) : null}
            </label>
          </li>
        );
      })}
    </ul>
  );
}

interface NumberSelectProps {
  name: string;
  label: string;
  any: string;
  value: number | undefined;
  values: readonly number[];
  show: (value: number) => string;
  strong?: boolean;
}

/** A bound from a few round numbers; one that came by the address is kept among them. */
export function NumberSelect({ name, label, any, value, values, show, strong }: NumberSelectProps) {
  const offered =
    value === undefined || values.includes(value)
      ? values
      : [...values, value].sort((a, b) => a - b);
  return (
    <label className="block">
      <span className={strong ? "font-semibold" : "text-sm text-muted"}>{label}</span>
      <select name={name} defaultValue={value ?? ""} className="field mt-1 tabular-nums">
        <option value="">{any}</option>
        {offered.map((each) => (
          <option key={each} value={each}>
            {show(each)}
          </option>
        ))}
      </select>
    </label>
  );
}
