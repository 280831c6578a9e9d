import type { ReactNode } from "react";
import { useSentOnce } from "#app/lib/browser/use-sent-once.ts";
import { localizedPath, useLocale } from "#app/lib/i18n/locale.ts";
import { ErrorSummary } from "#app/ui/error-summary.tsx";

interface DetailsPartProps {
  /** What the address ends with that leads here. */
  id: string;
  title: string;
  /** What became of it, where it was changed just now. */
  notice: string | undefined;
  children: ReactNode;
}

/** A part of the account's details. */
export function DetailsPart({ id, title, notice, children }: DetailsPartProps) {
  return (
    <section id={id}>
      <h2 className="text-xl">{title}</h2>
      {notice ? (
        <p role="status" className="notice mt-2">
          {notice}
        </p>
      ) : null}
      {children}
    </section>
  );
}

interface DetailsFormProps {
  /** The address of the account that it changes. */
  account: string;
  /** The id of the field that can be wrong. */
  field?: string;
  error?: string | undefined;
  children: ReactNode;
}

/** A form of such a part. What is wrong stands at its head, and has the focus. */
export function DetailsForm({ account, field, error, children }: DetailsFormProps) {
  const locale = useLocale();
  const { onSubmit } = useSentOnce();
  return (
    <form
      method="post"
      onSubmit={onSubmit}
      // Without the part that the page's own address may end with: the browser would show that one.
      action={localizedPath(locale, "/account/details")}
      noValidate
      // Else Firefox's step back brings what another typed who was signed in; a field's own word still fills it in.
      autoComplete="off"
      className="mt-4 grid gap-4"
    >
      <ErrorSummary errors={error ? [{ field, message: error }] : []} of={error} />
      <input type="hidden" name="account" value={account} />
      {children}
    </form>
  );
}
