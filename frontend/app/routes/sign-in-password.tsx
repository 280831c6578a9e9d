import { useSearchParams } from "react-router";
import { PasswordForm } from "#app/features/account/password-form.tsx";
import { signInBy } from "#app/lib/account/account.server.ts";
import { readNext } from "#app/lib/account/next-path.ts";
import { textIn } from "#app/lib/form/form-data.ts";
import { privatePage } from "#app/lib/query/page.server.ts";
import { browserPage } from "#app/lib/query/page.ts";
import type { Route } from "./+types/sign-in-password";

export { PageError as ErrorBoundary } from "#app/features/error/page-error.tsx";

export const loader = privatePage();
export const clientLoader = browserPage();

/** Signs in with a password. */
export async function action({ request }: Route.ActionArgs) {
  const form = await request.formData();
  // Not trimmed: a trailing space is part of the password.
  const password = String(form.get("password") ?? "");
  // The password is never sent back to the page.
  form.delete("password");
  const body = { email: textIn(form, "email"), password, next: readNext(form) };
  return signInBy("password", body, request, form);
}

export default function SignInPassword({ actionData }: Route.ComponentProps) {
  const [query] = useSearchParams();
  return <PasswordForm next={readNext(query)} answer={actionData} />;
}
