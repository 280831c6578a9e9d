import type { ComponentProps } from "react";
import { FieldError, FieldHint, type FieldProps, RequiredMark, useControl } from "./field.tsx";
import type { Option } from "./select.tsx";

interface RadioGroupProps
  extends FieldProps,
    Pick<ComponentProps<"input">, "name" | "defaultValue" | "disabled" | "onChange"> {
  name: string;
  options: readonly Option[];
}

/** Selects one of a few options that are all in sight. An error summary links to the first of them. */
export function RadioGroup({
  id,
  label,
  hint,
  error,
  required,
  className = "",
  options,
  defaultValue,
  disabled,
  ...input
}: RadioGroupProps) {
  const control = useControl({ id, hint, error, required });
  return (
    <fieldset
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a group can't be invalid or required
      role="radiogroup"
      aria-required={required}
      aria-invalid={control["aria-invalid"]}
      aria-describedby={control["aria-describedby"]}
      disabled={disabled}
      className={`field-frame ${className}`.trimEnd()}
    >
      <legend className="field-label mb-1.5">
        {label}
        {required ? <RequiredMark /> : null}
      </legend>
      <FieldHint of={control}>{hint}</FieldHint>
      <div className="flex flex-wrap gap-x-6">
        {options.map((option, index) => (
          <label key={option.value} className="tick-line">
            <input
              type="radio"
              {...input}
              id={index === 0 ? control.id : undefined}
              value={option.value}
              defaultChecked={option.value === defaultValue}
              disabled={option.disabled}
              required={required}
              className="tick tick-round"
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
      <FieldError of={control}>{error}</FieldError>
    </fieldset>
  );
}
