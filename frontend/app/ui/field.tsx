import { type ReactNode, useId } from "react";
import { defineMessages, useMessages } from "#app/lib/i18n/messages.ts";
import { Icon } from "./icon.tsx";

const messages = defineMessages({
  en: { required: "Fields marked with * are needed.", error: "Error:" },
  es: { required: "Los campos con * son obligatorios.", error: "Error:" },
});

export interface FieldProps {
  /** What a list of errors links to; one of its own where nothing does. */
  id?: string | undefined;
  label: ReactNode;
  hint?: ReactNode;
  /** What is wrong with what was sent, and what would be right. */
  error?: string | undefined;
  required?: boolean | undefined;
  /** Of the whole field. */
  className?: string | undefined;
}

/** A field's own part of its props, and what is left for its control. */
export function splitField<Props extends FieldProps>({
  id,
  label,
  hint,
  error,
  required,
  className,
  ...control
}: Props) {
  return [{ id, label, hint, error, required, className }, control] as const;
}

/** What ties a control to its words. */
interface ControlProps {
  id: string;
  required: boolean | undefined;
  "aria-invalid": true | undefined;
  "aria-describedby": string | undefined;
}

/**
 * A control with its name, its hint and its error. What the control holds stays the browser's, so that
 * what was typed before the script came is still there afterwards.
 */
export function Field({
  label,
  className = "",
  children,
  ...props
}: FieldProps & { children: (control: ControlProps) => ReactNode }) {
  const control = useControl(props);
  return (
    <div className={`field-frame ${className}`.trimEnd()}>
      <label htmlFor={control.id} className="field-label">
        {label}
        {props.required ? <RequiredMark /> : null}
      </label>
      <FieldHint of={control}>{props.hint}</FieldHint>
      {children(control)}
      <FieldError of={control}>{props.error}</FieldError>
    </div>
  );
}

/** For a field that is framed otherwise: its control's attributes, by which hint and error know it too. */
export function useControl({
  id,
  hint,
  error,
  required,
}: Pick<FieldProps, "id" | "hint" | "error" | "required">): ControlProps {
  const own = useId();
  const known = id ?? own;
  const words = [hint ? hintId(known) : "", error ? errorId(known) : ""].filter(Boolean);
  return {
    id: known,
    required,
    "aria-invalid": error ? true : undefined,
    "aria-describedby": words.join(" ") || undefined,
  };
}

interface WordsProps {
  of: ControlProps;
  children: ReactNode;
}

export function FieldHint({ of, children }: WordsProps) {
  if (!children) return null;
  return (
    <p id={hintId(of.id)} className="field-hint">
      {children}
    </p>
  );
}

export function FieldError({ of, children }: WordsProps) {
  const t = useMessages(messages);
  if (!children) return null;
  return (
    <p id={errorId(of.id)} className="field-error">
      <Icon name="alert" className="mt-0.5 size-4.5" />
      <span>
        <span className="sr-only">{t.error} </span>
        {children}
      </span>
    </p>
  );
}

/** Seen only: who hears the page is told by the field itself. */
export function RequiredMark() {
  return (
    <span aria-hidden="true" className="text-clay">
      {" "}
      *
    </span>
  );
}

/** What the mark means: once, at the head of a form. */
export function RequiredNote() {
  const t = useMessages(messages);
  return <p className="field-hint">{t.required}</p>;
}

const hintId = (control: string) => `${control}-hint`;
const errorId = (control: string) => `${control}-error`;
