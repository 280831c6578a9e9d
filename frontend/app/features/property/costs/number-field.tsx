import { type ComponentProps, useRef } from "react";
import { useTypedBefore } from "#app/lib/browser/use-typed-before.ts";
import { TextField } from "#app/ui/text-field.tsx";

interface NumberFieldProps
  extends Pick<ComponentProps<typeof TextField>, "label" | "unit" | "max" | "step"> {
  value: string;
  onChange: (value: string) => void;
  least?: number;
}

/** A labelled figure. What is typed is kept as it is typed; whether it makes sense is said below. */
export function NumberField({ value, onChange, least = 0, ...rest }: NumberFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  useTypedBefore(field, value, onChange);
  return (
    <TextField
      ref={field}
      type="number"
      min={least}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      {...rest}
    />
  );
}

/** The figure in a field; none where there is nothing, or nothing that can be meant. */
export function figureIn(value: string, least: number, most: number): number | undefined {
  const figure = value.trim() === "" ? Number.NaN : Number(value);
  return figure >= least && figure <= most ? figure : undefined;
}
