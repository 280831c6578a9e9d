import { useSearchParams } from "react-router";
import { LinkForm } from "#app/features/account/link-form.tsx";
import { onward, refused } from "#app/lib/account/account.server.ts";
import type { FormAnswer } from "#app/lib/account/account.ts";
import { privatePage } from "#app/lib/query/page.server.ts";
import { browserPage, type PageLoad } from "#app/lib/query/page.ts";
import { askWriteSide } from "#app/lib/server/write-side.server.ts";
import type { Route } from "./+types/sign-in-link";

export { PageError as ErrorBoundary } from "#app/features/error/page-error.tsx";

const load: PageLoad = async () => {};

export const loader = privatePage(load);
export const clientLoader = browserPage(load);

/** Signs in by the link that was mailed. Opening it does nothing yet: programs open links too. */
export async function action({ request }: Route.ActionArgs) {
  const form = await request.formData();
  const answer = await askWriteSide(request, "/api/account/sign-in/link", {
    method: "POST",
    body: { token: String(form.get("token") ?? "") },
  });
  if (answer.status !== 200) return refused(answer, form);
  return onward(request, (answer.body as { next?: string }).next ?? "/account", answer);
}

export default function SignInLink({ actionData }: Route.ComponentProps) {
  const [query] = useSearchParams();
  return (
    <LinkForm token={query.get("token") ?? ""} answer={actionData as FormAnswer | undefined} />
  );
}
