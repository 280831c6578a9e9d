import type { ReactNode } from "react";
import type { FormAnswer } from "#app/lib/account/account.ts";
import { localizedPath, useLocale } from "#app/lib/i18n/locale.ts";
import type { FormError } from "#app/ui/error-summary.tsx";
import { PostForm } from "#app/ui/post-form.tsx";

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
  answer?: FormAnswer | undefined;
  errors?: readonly FormError[];
  className?: string;
  children: ReactNode;
}

/** A form in such a section. Its errors are shown at the top and receive focus. */
export function DetailsForm({
  account,
  className = "mt-4 grid gap-4",
  children,
  ...refusal
}: DetailsFormProps) {
  const locale = useLocale();
  return (
    <PostForm
      {...refusal}
      // An explicit path without fragment: the browser would otherwise scroll to the fragment of the current URL.
      action={localizedPath(locale, "/account/details")}
      // Otherwise Firefox, going back, restores what the owner of another account typed. A field's own `autoComplete`
      // still allows autofill.
      autoComplete="off"
      className={className}
    >
      <input type="hidden" name="account" value={account} />
      {children}
    </PostForm>
  );
}
