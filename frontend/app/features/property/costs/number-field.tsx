import { type ComponentProps, useRef } from "react";
import { useTypedBefore } from "#app/lib/browser/use-typed-before.ts";
import { writtenNumber } from "#app/lib/format/written-number.ts";
import { TextField } from "#app/ui/text-field.tsx";

interface NumberFieldProps extends Pick<ComponentProps<typeof TextField>, "label" | "unit"> {
  value: string;
  onChange: (value: string) => void;
}

/**
 * A labelled figure. What is typed is kept as it is typed; whether it makes sense is said below. A browser's
 * own field for numbers takes the point of `250.000` for a decimal one.
 */
export function NumberField({ value, onChange, ...rest }: NumberFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  useTypedBefore(field, value, onChange);
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

/** The figure in a field, by itself or with its unit; none where there is none that can be meant. */
export function figureIn(
  value: string,
  least: number,
  most: number,
  read = writtenNumber,
): number | undefined {
  const figure = read(value.replace(/[€%]/g, ""));
  return figure >= least && figure <= most ? figure : undefined;
}
