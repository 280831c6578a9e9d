import { useSearchParams } from "react-router";
import { PasswordForm } from "#app/features/account/password-form.tsx";
import { onward, refused } from "#app/lib/account/account.server.ts";
import type { FormAnswer } from "#app/lib/account/account.ts";
import { readNext } from "#app/lib/account/next-path.ts";
import { privatePage } from "#app/lib/query/page.server.ts";
import { browserPage, type PageLoad } from "#app/lib/query/page.ts";
import { askWriteSide } from "#app/lib/server/write-side.server.ts";
import type { Route } from "./+types/sign-in-password";

export { PageError as ErrorBoundary } from "#app/features/error/page-error.tsx";

const load: PageLoad = async () => {};

export const loader = privatePage(load);
export const clientLoader = browserPage(load);

/** Signs in by password. */
export async function action({ request }: Route.ActionArgs) {
  const form = await request.formData();
  const text = (name: string) => String(form.get(name) ?? "");
  const answer = await askWriteSide(request, "/api/account/sign-in/password", {
    method: "POST",
    body: { email: text("email").trim(), password: text("password"), next: readNext(form) },
  });
  // What was typed there is never sent back.
  form.delete("password");
  if (answer.status !== 200) return refused(answer, form);
  return onward(request, (answer.body as { next?: string }).next ?? "/account", answer);
}

export default function SignInPassword({ actionData }: Route.ComponentProps) {
  const [query] = useSearchParams();
  return <PasswordForm next={readNext(query)} answer={actionData as FormAnswer | undefined} />;
}
