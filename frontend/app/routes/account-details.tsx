import { useSearchParams } from "react-router";
import { Details } from "#app/features/account/details.tsx";
import {
  accountPage,
  formRefused,
  readAccountForm,
  readAccount as readFromServer,
  redirectOnward,
  sendWithConsentLocale,
} from "#app/lib/account/account.server.ts";
import { browserAccountPage, readAccount } from "#app/lib/account/account.ts";
import { textIn } from "#app/lib/form/form-data.ts";
import { askWriteSide, type WriteSideAnswer } from "#app/lib/server/write-side.server.ts";
import type { Route } from "./+types/account-details";

export { PageError as ErrorBoundary } from "#app/features/error/page-error.tsx";

export const loader = accountPage(readFromServer);
export const clientLoader = browserAccountPage(readAccount);

/** The path of this page, scrolled to the part that was changed. */
const savedPath = (part: string) => `/account/details?saved=${part}#${part}`;

/** Treats a 404 as success: an outdated page or an earlier click may already have removed the item. */
const acceptMissing = (answer: WriteSideAnswer): WriteSideAnswer =>
  answer.status === 404 ? { ...answer, status: 204 } : answer;

/** Applies the change of the button that was pressed. */
export async function action({ request }: Route.ActionArgs) {
  const form = await readAccountForm(request);
  const text = (name: string) => textIn(form, name);
  const ask = (path: string, method: string, body?: unknown) =>
    askWriteSide(request, `/api/account${path}`, { method, body });
  const [answer, next] = await (async () => {
    if (form.has("end")) {
      const id = encodeURIComponent(text("end"));
      return [acceptMissing(await ask(`/sessions/${id}`, "DELETE")), savedPath("devices")] as const;
    }
    if (form.has("remove-passkey")) {
      const id = encodeURIComponent(text("remove-passkey"));
      return [
        acceptMissing(await ask(`/passkeys/${id}`, "DELETE")),
        savedPath("passkeys"),
      ] as const;
    }
    switch (text("intent")) {
      case "sign-out":
        return [await ask("/sign-out", "POST"), "/login?signed-out=yes"] as const;
      case "set-password":
        // Not trimmed: a trailing space is part of the password.
        return [
          await ask("/password", "PUT", { password: String(form.get("password") ?? "") }),
          savedPath("password"),
        ] as const;
      case "remove-password":
        return [await ask("/password", "DELETE"), savedPath("password")] as const;
      case "end-others":
        return [await ask("/sessions", "DELETE"), savedPath("devices")] as const;
      case "delete":
        return [await ask("", "DELETE", { email: text("email") }), "/login?deleted=yes"] as const;
      default: {
        const consents = form.get("marketingConsent") === "yes";
        // The consent may have been withdrawn elsewhere since the page was opened, so only a change made here is sent.
        const isSame = text("shownConsent") === (consents ? "yes" : "no");
        const change = { name: text("name"), locale: text("locale") };
        const changed = isSame
          ? ask("", "PATCH", change)
          : sendWithConsentLocale(request, "/api/account", {
              method: "PATCH",
              body: { ...change, marketingConsent: consents },
              name: "readIn",
            });
        return [await changed, savedPath("you")] as const;
      }
    }
  })();
  form.delete("password");
  if (answer.status >= 300) return formRefused(answer, form);
  return redirectOnward(request, next, answer);
}

/** The page with the account's details, devices, passkeys, password and deletion. */
export default function AccountDetails({ loaderData, actionData }: Route.ComponentProps) {
  const [query] = useSearchParams();
  const saved = actionData ? null : query.get("saved");
  const isOther = !actionData && query.has("other");
  return <Details account={loaderData} answer={actionData} saved={saved} isOther={isOther} />;
}
