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
  /** What the figure counts, said beside it. */
  unit?: string;
}

/** One line to type in: words, an address, a number. */
export function TextField({ type = "text", unit, ...props }: TextFieldProps) {
  const [field, input] = splitField(props);
  return (
    <Field {...field}>
      {(control) => (
        <span className="relative block">
          <input type={type} {...KINDS[type]} {...input} {...control} className="field" />
          {unit ? (
            <span aria-hidden="true" className="field-unit">
              {unit}
            </span>
          ) : null}
        </span>
      )}
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
  const alive = useHydrated() || import.meta.env.SSR;
  return (
    <Field {...field}>
      {(control) => (
        <textarea
          rows={rows}
          {...(area.value === undefined && { defaultValue: alive ? defaultValue : undefined })}
          {...area}
          {...control}
          className="field"
        />
      )}
    </Field>
  );
}
