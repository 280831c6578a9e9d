import { useSearchParams } from "react-router";
import { CodeForm } from "#app/features/account/code-form.tsx";
import { signInBy, signInPage } from "#app/lib/account/account.server.ts";
import { browserSignInPage } from "#app/lib/account/account.ts";
import { readNext } from "#app/lib/account/next-path.ts";
import { textIn } from "#app/lib/form/form-data.ts";
import type { Route } from "./+types/sign-in-code";

export { PageError as ErrorBoundary } from "#app/features/error/page-error.tsx";

export const loader = signInPage();
export const clientLoader = browserSignInPage();

/** Signs in with the six-digit code from the email. */
export async function action({ request }: Route.ActionArgs) {
  const form = await request.formData();
  return signInBy("code", { code: textIn(form, "code") }, request, form);
}

export default function SignInCode({ actionData }: Route.ComponentProps) {
  const [query] = useSearchParams();
  return <CodeForm next={readNext(query)} answer={actionData} />;
}
