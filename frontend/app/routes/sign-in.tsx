import { useLocation, useSearchParams } from "react-router";
import { SignInForm } from "#app/features/account/sign-in-form.tsx";
import { formRefused, redirectOnward, signInPage } from "#app/lib/account/account.server.ts";
import { browserSignInPage } from "#app/lib/account/account.ts";
import { readNext, withNext } from "#app/lib/account/next-path.ts";
import { textIn } from "#app/lib/form/form-data.ts";
import { localeOf, neutralPath } from "#app/lib/i18n/locale.ts";
import { askWriteSide } from "#app/lib/server/write-side.server.ts";
import type { Route } from "./+types/sign-in";

export { PageError as ErrorBoundary } from "#app/features/error/page-error.tsx";

export const loader = signInPage();
export const clientLoader = browserSignInPage();

/** Requests an email with a link and a code. */
export async function action({ request }: Route.ActionArgs) {
  const form = await request.formData();
  const next = readNext(form);
  const answer = await askWriteSide(request, "/api/account/sign-in", {
    method: "POST",
    body: {
      email: textIn(form, "email"),
      name: textIn(form, "name"),
      next,
      locale: localeOf(new URL(request.url).pathname),
      marketingConsent: form.get("marketingConsent") === "yes",
    },
  });
  if (answer.status === 202) return redirectOnward(request, withNext("/login/code", next), answer);
  return formRefused(answer, form);
}

/** The sign-in and sign-up pages: the same email serves both. */
export default function SignIn({ actionData }: Route.ComponentProps) {
  const isNew = neutralPath(useLocation().pathname) === "/signup";
  const [query] = useSearchParams();
  const done = (["deleted", "signed-out"] as const).find((each) => each === query.get("outcome"));
  return (
    <SignInForm
      key={String(isNew)}
      isNew={isNew}
      next={readNext(query)}
      done={actionData ? undefined : done}
      answer={actionData}
    />
  );
}
