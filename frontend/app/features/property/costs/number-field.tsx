import { type ComponentProps, useRef } from "react";
import { useValueBeforeHydration } from "#app/lib/browser/use-value-before-hydration.ts";
import { parseNumber } from "#app/lib/format/parse-number.ts";
import { TextField } from "#app/ui/text-field.tsx";

/** The maximum price that the calculators accept, in euros. */
export const MAX_PRICE = 100_000_000;

interface NumberFieldProps extends Pick<ComponentProps<typeof TextField>, "label" | "unit"> {
  value: string;
  onChange: (value: string) => void;
}

/**
 * A labelled number field. Its value is the text as typed; the calculator reports whether it is valid. It is
 * not a native number input, which would read the point in `250.000` as a decimal point.
 */
export function NumberField({ value, onChange, ...rest }: NumberFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  useValueBeforeHydration(field, value, onChange);
  return (
    <TextField
      ref={field}
      inputMode="decimal"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      {...rest}
    />
  );
}

/** Parses the number in a field, with or without its unit; undefined if invalid or not from `min` to `max`. */
export function parseFigure(
  value: string,
  min: number,
  max: number,
  parse = parseNumber,
): number | undefined {
  const figure = parse(value.replace(/[€%]/g, ""));
  return figure >= min && figure <= max ? figure : undefined;
}
