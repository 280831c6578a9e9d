import { useSearchParams } from "react-router";
import { Details } from "#app/features/account/details.tsx";
import {
  askAsRead,
  onward,
  ownersForm,
  ownersPage,
  readAccount as readFromServer,
  refused,
} from "#app/lib/account/account.server.ts";
import { browserOwnersPage, readAccount } from "#app/lib/account/account.ts";
import { textIn } from "#app/lib/form/form-data.ts";
import { askWriteSide, type WriteSideAnswer } from "#app/lib/server/write-side.server.ts";
import type { Route } from "./+types/account-details";

export { PageError as ErrorBoundary } from "#app/features/error/page-error.tsx";

export const loader = ownersPage(readFromServer);
export const clientLoader = browserOwnersPage(readAccount);

/** The page once more, at the part that was changed. */
const saved = (part: string) => `/account/details?saved=${part}#${part}`;

/** What an older page ends, or a press of before, may be gone by now. */
const asGone = (answer: WriteSideAnswer): WriteSideAnswer =>
  answer.status === 404 ? { ...answer, status: 204 } : answer;

/** Changes the account as the pressed button says. */
export async function action({ request }: Route.ActionArgs) {
  const form = await ownersForm(request);
  const text = (name: string) => textIn(form, name);
  const ask = (path: string, method: string, body?: unknown) =>
    askWriteSide(request, `/api/account${path}`, { method, body });
  const [answer, next] = await (async () => {
    if (form.has("end")) {
      const id = encodeURIComponent(text("end"));
      return [asGone(await ask(`/sessions/${id}`, "DELETE")), saved("devices")] as const;
    }
    if (form.has("remove-passkey")) {
      const id = encodeURIComponent(text("remove-passkey"));
      return [asGone(await ask(`/passkeys/${id}`, "DELETE")), saved("passkeys")] as const;
    }
    switch (text("intent")) {
      case "sign-out":
        return [await ask("/sign-out", "POST"), "/login?signed-out=yes"] as const;
      case "set-password":
        // A space at its end is the visitor's own.
        return [
          await ask("/password", "PUT", { password: String(form.get("password") ?? "") }),
          saved("password"),
        ] as const;
      case "remove-password":
        return [await ask("/password", "DELETE"), saved("password")] as const;
      case "end-others":
        return [await ask("/sessions", "DELETE"), saved("devices")] as const;
      case "delete":
        return [await ask("", "DELETE", { email: text("email") }), "/login?deleted=yes"] as const;
      default: {
        const consents = form.get("marketingConsent") === "yes";
        // It may have been withdrawn elsewhere since the page was opened.
        const isSame = text("shownConsent") === (consents ? "yes" : "no");
        const change = { name: text("name"), locale: text("locale") };
        const changed = isSame
          ? ask("", "PATCH", change)
          : askAsRead(request, "/api/account", {
              method: "PATCH",
              body: { ...change, marketingConsent: consents },
              name: "readIn",
            });
        return [await changed, saved("you")] as const;
      }
    }
  })();
  form.delete("password");
  if (answer.status >= 300) return refused(answer, form);
  return onward(request, next, answer);
}

/** What is kept of an account. */
export default function AccountDetails({ loaderData, actionData }: Route.ComponentProps) {
  const [query] = useSearchParams();
  const saved = actionData ? null : query.get("saved");
  const isOther = !actionData && query.has("other");
  return <Details account={loaderData} answer={actionData} saved={saved} isOther={isOther} />;
}
