import type { ComponentProps } from "react";
import { defineMessages, useMessages } from "#app/lib/i18n/messages.ts";
import type { BadgeDot } from "./badge.tsx";
import { Field, type FieldProps, splitField } from "./field.tsx";
import type { IconName } from "./icon.tsx";

const messages = defineMessages({
  en: { choose: "Please choose" },
  es: { choose: "Elija una opción" },
});

export interface Option {
  value: string;
  label: string;
  /** Decoration before the label. Only `Combobox` shows it: a native list shows labels only. */
  icon?: IconName;
  avatar?: { name: string; src?: string };
  chip?: BadgeDot;
  disabled?: boolean;
}

interface SelectProps
  extends FieldProps,
    Omit<ComponentProps<"select">, keyof FieldProps | "children"> {
  options: readonly Option[];
  /** Label of an empty first option, `true` for the default label. Without it the first option is preselected. */
  none?: string | true;
}

/** Selects one of a few options in a native list, which works without a script and suits phones best. */
export function Select({ options, none, ...props }: SelectProps) {
  const [field, select] = splitField(props);
  const t = useMessages(messages);
  return (
    <Field {...field}>
      {(control) => (
        <select {...select} {...control} className="field">
          {none ? <option value="">{none === true ? t.choose : none}</option> : null}
          {options.map(({ value, label: name, disabled }) => (
            <option key={value} value={value} disabled={disabled}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
