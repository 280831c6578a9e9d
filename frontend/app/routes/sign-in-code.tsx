import { useSearchParams } from "react-router";
import { CodeForm } from "#app/features/account/code-form.tsx";
import { onward, refused } from "#app/lib/account/account.server.ts";
import type { FormAnswer } from "#app/lib/account/account.ts";
import { readNext } from "#app/lib/account/next-path.ts";
import { privatePage } from "#app/lib/query/page.server.ts";
import { browserPage, type PageLoad } from "#app/lib/query/page.ts";
import { askWriteSide } from "#app/lib/server/write-side.server.ts";
import type { Route } from "./+types/sign-in-code";

export { PageError as ErrorBoundary } from "#app/features/error/page-error.tsx";

const load: PageLoad = async () => {};

export const loader = privatePage(load);
export const clientLoader = browserPage(load);

/** Signs in by the six digits that were mailed. */
export async function action({ request }: Route.ActionArgs) {
  const form = await request.formData();
  const answer = await askWriteSide(request, "/api/account/sign-in/code", {
    method: "POST",
    body: { code: String(form.get("code") ?? "") },
  });
  if (answer.status !== 200) return refused(answer, form);
  return onward(request, (answer.body as { next?: string }).next ?? "/account", answer);
}

export default function SignInCode({ actionData }: Route.ComponentProps) {
  const [query] = useSearchParams();
  return <CodeForm next={readNext(query)} answer={actionData as FormAnswer | undefined} />;
}
