import { useId, useRef } from "react";
import { useTypedBefore } from "#app/lib/browser/use-typed-before.ts";

interface NumberFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** What the field says beside the figure. */
  unit?: string;
  least?: number;
  most?: number;
  step?: number;
}

/** A labelled figure. What is typed is kept as it is typed; whether it makes sense is said below. */
export function NumberField({
  label,
  value,
  onChange,
  unit,
  least = 0,
  most,
  step = 1,
}: NumberFieldProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  useTypedBefore(field, value, onChange);
  return (
    <div className="no-script:hidden">
      <label htmlFor={id} className="block text-sm font-medium">
        {label}
      </label>
      <div className="relative mt-1">
        <input
          ref={field}
          id={id}
          type="number"
          inputMode="decimal"
          min={least}
          max={most}
          step={step}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className="field min-h-11 pr-9 tabular-nums"
        />
        {unit ? (
          <span
            aria-hidden="true"
            className="pointer-events-none absolute inset-y-0 right-3 flex items-center text-muted"
          >
            {unit}
          </span>
        ) : null}
      </div>
    </div>
  );
}

/** The figure in a field; none where there is nothing, or nothing that can be meant. */
export function figureIn(value: string, least: number, most: number): number | undefined {
  const figure = value.trim() === "" ? Number.NaN : Number(value);
  return figure >= least && figure <= most ? figure : undefined;
}
