import type { ComponentProps } from "react";
import { useHydrated } from "#app/lib/browser/use-hydrated.ts";
import { Field, type FieldProps, splitField } from "./field.tsx";

/** The input attributes of each type: the on-screen keyboard and autofill. */
const TYPE_ATTRIBUTES = {
  text: {},
  email: { autoComplete: "email", inputMode: "email", spellCheck: false, autoCapitalize: "none" },
  tel: { autoComplete: "tel", inputMode: "tel" },
  number: { inputMode: "decimal" },
  date: {},
  password: { autoComplete: "current-password" },
} as const satisfies Record<string, ComponentProps<"input">>;

interface TextFieldProps
  extends FieldProps,
    Omit<ComponentProps<"input">, keyof FieldProps | "type" | "children"> {
  type?: keyof typeof TYPE_ATTRIBUTES;
  /** The unit of the number, shown beside it. */
  unit?: string;
}

/** A single-line text field: words, an address, a number. */
export function TextField({ type = "text", unit, ...props }: TextFieldProps) {
  const [field, input] = splitField(props);
  const label = unit ? (
    <>
      {field.label}
      {/* Screen readers get the unit as part of the label. */}
      <span className="sr-only">{` (${unit})`}</span>
    </>
  ) : (
    field.label
  );
  return (
    <Field {...field} label={label}>
      {(control) => {
        const inputElement = (
          <input type={type} {...TYPE_ATTRIBUTES[type]} {...input} {...control} className="field" />
        );
        if (!unit) return inputElement;
        return (
          <span data-unit={unit} className="field-line">
            {inputElement}
          </span>
        );
      }}
    </Field>
  );
}

interface TextAreaProps
  extends FieldProps,
    Omit<ComponentProps<"textarea">, keyof FieldProps | "children"> {}

/** A text field of several lines. */
export function TextArea({ defaultValue, rows = 5, ...props }: TextAreaProps) {
  const [field, area] = splitField(props);
  // While hydrating, React sets the default text again, over what was typed meanwhile. Set after hydration,
  // it is only the default and does not overwrite the typed text.
  const isHydrated = useHydrated() || import.meta.env.SSR;
  return (
    <Field {...field}>
      {(control) => (
        <textarea
          rows={rows}
          {...(area.value === undefined && { defaultValue: isHydrated ? defaultValue : undefined })}
          {...area}
          {...control}
          className="field"
        />
      )}
    </Field>
  );
}
