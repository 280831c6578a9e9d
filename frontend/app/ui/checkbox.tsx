import type { ComponentProps } from "react";
import { FieldError, FieldHint, type FieldProps, RequiredMark, useControl } from "./field.tsx";

interface CheckboxProps
  extends FieldProps,
    Omit<ComponentProps<"input">, keyof FieldProps | "type" | "children"> {}

/** A checkbox; its label may contain links. */
export function Checkbox({
  id,
  label,
  hint,
  error,
  required,
  className = "",
  ...input
}: CheckboxProps) {
  const control = useControl({ id, hint, error, required });
  return (
    <div className={`field-frame ${className}`.trimEnd()}>
      <label className="tick-line">
        <input type="checkbox" {...input} {...control} className="tick" />
        <span>
          {label}
          {required ? <RequiredMark /> : null}
        </span>
      </label>
      <FieldHint of={control}>{hint}</FieldHint>
      <FieldError of={control}>{error}</FieldError>
    </div>
  );
}
