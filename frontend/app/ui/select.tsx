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
  /** What stands before the words, in a list that we draw: the device's own has words alone. */
  icon?: IconName;
  avatar?: { name: string; src?: string };
  chip?: BadgeDot;
  disabled?: boolean;
}

interface SelectProps
  extends FieldProps,
    Omit<ComponentProps<"select">, keyof FieldProps | "children"> {
  options: readonly Option[];
  /** What stands there while nothing is chosen; without it the first option is the choice. */
  none?: string | true;
}

/** One of a few, in the device's own list: it opens without a script, and fits a telephone best. */
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
