import type { ReactNode } from "react";
import { useSingleSubmit } from "#app/lib/browser/use-single-submit.ts";
import { localizedPath, useLocale } from "#app/lib/i18n/locale.ts";
import { ErrorSummary } from "#app/ui/error-summary.tsx";

interface DetailsPartProps {
  /** The URL fragment that links to this part. */
  id: string;
  title: string;
  /** The result of a change that was just made. */
  notice: string | undefined;
  children: ReactNode;
}

/** A titled section of the account's details. */
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
  /** The email address of the account that the form changes. */
  account: string;
  /** The id of the field that can be wrong. */
  field?: string;
  error?: string | undefined;
  children: ReactNode;
}

/** A form in such a section. Its error is shown at the top and receives focus. */
export function DetailsForm({ account, field, error, children }: DetailsFormProps) {
  const locale = useLocale();
  const { onSubmit } = useSingleSubmit();
  return (
    <form
      method="post"
      onSubmit={onSubmit}
      // An explicit path without fragment: the browser would otherwise scroll to the fragment of the current URL.
      action={localizedPath(locale, "/account/details")}
      noValidate
      // Otherwise Firefox, going back, restores what the owner of another account typed. A field's own `autoComplete`
      // still allows autofill.
      autoComplete="off"
      className="mt-4 grid gap-4"
    >
      <ErrorSummary errors={error ? [{ field, message: error }] : []} of={error} />
      <input type="hidden" name="account" value={account} />
      {children}
    </form>
  );
}
