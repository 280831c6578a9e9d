import type { ComponentProps } from "react";
import { useHydrated } from "#app/lib/browser/use-hydrated.ts";
import { Field, type FieldProps, splitField } from "./field.tsx";

interface FileFieldProps
  extends FieldProps,
    Omit<ComponentProps<"input">, keyof FieldProps | "type" | "children"> {
  /** Text shown instead where there is no script: only the script can send files. */
  withoutScript: string;
}

/** Selects files from the visitor's device. Disabled until hydration: the script sends the files. */
export function FileField({ withoutScript, ...props }: FileFieldProps) {
  const [field, input] = splitField(props);
  const isHydrated = useHydrated();
  return (
    <>
      <Field {...field} className="noscript:hidden">
        {(control) => (
          <input
            type="file"
            disabled={!isHydrated}
            {...input}
            {...control}
            className="field field-file"
          />
        )}
      </Field>
      <p className="hidden text-muted noscript:block">{withoutScript}</p>
    </>
  );
}
