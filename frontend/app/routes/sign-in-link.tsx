import { useSearchParams } from "react-router";
import { LinkForm } from "#app/features/account/link-form.tsx";
import { readAccount as readFromServer, signInBy } from "#app/lib/account/account.server.ts";
import { isMarkedSignedIn, readAccount } from "#app/lib/account/account.ts";
import { textIn } from "#app/lib/form/form-data.ts";
import { privatePage } from "#app/lib/query/page.server.ts";
import { browserPage } from "#app/lib/query/page.ts";
import type { Route } from "./+types/sign-in-link";

export { PageError as ErrorBoundary } from "#app/features/error/page-error.tsx";

const onServer = privatePage();
const inBrowser = browserPage();

/**
 * Returns the email address that is already signed in. A failed lookup counts as none, so that the link can be
 * used anyway.
 */
export async function loader(from: Route.LoaderArgs) {
  await onServer(from);
  const account = await readFromServer(from.request).catch(() => undefined);
  return account?.email ?? null;
}

export async function clientLoader(from: Route.ClientLoaderArgs) {
  await inBrowser(from);
  if (!isMarkedSignedIn(document.cookie)) return null;
  const account = await readAccount().catch(() => undefined);
  return account?.email ?? null;
}

/** Signs in with the link from the email. Opening it alone changes nothing, because mail scanners open links too. */
export async function action({ request }: Route.ActionArgs) {
  const form = await request.formData();
  return signInBy("link", { token: textIn(form, "token") }, request, form);
}

export default function SignInLink({ loaderData, actionData }: Route.ComponentProps) {
  const [query] = useSearchParams();
  return <LinkForm token={query.get("token") ?? ""} present={loaderData} answer={actionData} />;
}
