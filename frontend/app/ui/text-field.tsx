import type { ComponentProps } from "react";
import { useHydrated } from "#app/lib/browser/use-hydrated.ts";
import { Field, type FieldProps, splitField } from "./field.tsx";

/** What a browser knows of a kind of text: its keyboard, and what it fills in by itself. */
const KINDS = {
  text: {},
  search: { inputMode: "search", enterKeyHint: "search" },
  email: { autoComplete: "email", inputMode: "email", spellCheck: false, autoCapitalize: "none" },
  tel: { autoComplete: "tel", inputMode: "tel" },
  number: { inputMode: "decimal" },
  date: {},
  time: {},
  password: { autoComplete: "current-password" },
} as const satisfies Record<string, ComponentProps<"input">>;

interface TextFieldProps
  extends FieldProps,
    Omit<ComponentProps<"input">, keyof FieldProps | "type" | "children"> {
  type?: keyof typeof KINDS;
  /** What the figure counts, shown beside it. */
  unit?: string;
}

/** One line to type in: words, an address, a number. */
export function TextField({ type = "text", unit, ...props }: TextFieldProps) {
  const [field, input] = splitField(props);
  const label = (
    <>
      {field.label}
      {/* Who does not see it beside the figure hears it. */}
      <span className="sr-only"> ({unit})</span>
    </>
  );
  return (
    <Field {...field} label={unit ? label : field.label}>
      {(control) => {
        const line = (
          <input type={type} {...KINDS[type]} {...input} {...control} className="field" />
        );
        if (!unit) return line;
        return (
          <span data-unit={unit} className="field-line">
            {line}
          </span>
        );
      }}
    </Field>
  );
}

interface TextAreaProps
  extends FieldProps,
    Omit<ComponentProps<"textarea">, keyof FieldProps | "children"> {}

/** Room for a few lines. */
export function TextArea({ defaultValue, rows = 5, ...props }: TextAreaProps) {
  const [field, area] = splitField(props);
  // React gives a text that came with the page once more while it takes the page over, on top of what
  // was typed meanwhile. A moment later it is the default only, and leaves what was typed alone.
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
