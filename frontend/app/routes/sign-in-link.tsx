import { useSearchParams } from "react-router";
import { LinkForm } from "#app/features/account/link-form.tsx";
import { signInBy } from "#app/lib/account/account.server.ts";
import { textIn } from "#app/lib/form/form-data.ts";
import { privatePage } from "#app/lib/query/page.server.ts";
import { browserPage } from "#app/lib/query/page.ts";
import type { Route } from "./+types/sign-in-link";

export { PageError as ErrorBoundary } from "#app/features/error/page-error.tsx";

export const loader = privatePage();
export const clientLoader = browserPage();

/** Signs in by the link that was mailed. Opening it does nothing yet: programs open links too. */
export async function action({ request }: Route.ActionArgs) {
  const form = await request.formData();
  return signInBy("link", { token: textIn(form, "token") }, request, form);
}

export default function SignInLink({ actionData }: Route.ComponentProps) {
  const [query] = useSearchParams();
  return <LinkForm token={query.get("token") ?? ""} answer={actionData} />;
}
