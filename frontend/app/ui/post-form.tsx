import { type ComponentProps, createContext, use, useId } from "react";
import { useSingleSubmit } from "#app/lib/browser/use-single-submit.ts";
import { AlertNotice } from "./alert-notice.tsx";
import { Button } from "./button.tsx";
import { ErrorSummary, type FormError } from "./error-summary.tsx";

/** The part of a form's refusal that names its fields. */
interface RefusedFields {
  readonly fields?: readonly string[];
}

/** The attributes that connect a field with its error in the form's summary. */
interface RefusedField<Name> {
  id: string;
  name: Name;
  error: string | undefined;
}

/**
 * Returns the errors of a refused form for its summary, and `field`, which returns the attributes of a field.
 * `messages` holds what is wrong with each field that can be refused.
 */
export function useFieldErrors<Name extends string>(
  answer: RefusedFields | undefined,
  messages: Readonly<Record<Name, string>>,
): { errors: FormError[]; field: (name: Name) => RefusedField<Name> } {
  const id = useId();
  const field = (name: Name) => ({
    id: `${id}-${name}`,
    name,
    error: answer?.fields?.includes(name) ? messages[name] : undefined,
  });
  const errors = (Object.keys(messages) as Name[])
    .map(field)
    .flatMap(({ id, error }) => (error ? [{ field: id, message: error }] : []));
  return { errors, field };
}

const Sending = createContext(false);

interface PostFormProps extends Omit<ComponentProps<"form">, "method" | "noValidate" | "onSubmit"> {
  /** The refusal with which the page was rendered again. */
  answer?: unknown;
  errors?: readonly FormError[];
  /** Why the form failed, unless a field is the reason. */
  failure?: string | undefined;
}

const NO_ERRORS: readonly FormError[] = [];

/**
 * A form that the browser itself sends as a page load, and only once. Above its fields it shows why the last
 * submission was refused.
 */
export function PostForm({
  answer,
  errors = NO_ERRORS,
  failure,
  children,
  ...rest
}: PostFormProps) {
  const { isSending, onSubmit } = useSingleSubmit();
  return (
    <form {...rest} method="post" noValidate onSubmit={onSubmit}>
      <ErrorSummary errors={errors} of={answer} />
      <AlertNotice>{failure}</AlertNotice>
      <Sending value={isSending}>{children}</Sending>
    </form>
  );
}

/** The button of a `PostForm` that has only one; it shows that the form is being sent. */
export function SubmitButton(props: Omit<ComponentProps<typeof Button>, "type" | "busy">) {
  return <Button {...props} type="submit" busy={use(Sending)} />;
}
