import { useSearchParams } from "react-router";
import { Details } from "#app/features/account/details.tsx";
import {
  accountPage,
  formRefused,
  readAccountForm,
  readAccount as readFromServer,
  redirectOnward,
  UNKNOWN_INTENT,
} from "#app/lib/account/account.server.ts";
import { browserAccountPage, readAccount } from "#app/lib/account/account.ts";
import { type Outcome, withOutcome } from "#app/lib/account/outcome.ts";
import { intentIn, textIn } from "#app/lib/form/form-data.ts";
import { localeOf } from "#app/lib/i18n/locale.ts";
import { askWriteSide, type WriteSideAnswer } from "#app/lib/server/write-side.server.ts";
import type { Route } from "./+types/account-details";

export { PageError as ErrorBoundary } from "#app/features/error/page-error.tsx";

export const loader = accountPage(readFromServer);
export const clientLoader = browserAccountPage(readAccount);

/** A submitted form of this page. */
interface Submission {
  request: Request;
  form: FormData;
  call: (path: string, method: string, body?: unknown) => Promise<WriteSideAnswer>;
}

/** What a button does, and the path that it leads to. */
interface Intent {
  send: (submission: Submission) => Promise<WriteSideAnswer>;
  next: string;
}

/** Returns the path of this page, scrolled to the part that was changed. */
const changed = (part: string, outcome: Outcome) =>
  withOutcome(`/account/details#${part}`, outcome);

const INTENTS: Readonly<Record<string, Intent>> = {
  save: { send: saveDetails, next: changed("you", "saved") },
  end: {
    send: (submission) => remove("sessions", submission),
    next: changed("devices", "device-signed-out"),
  },
  "end-others": {
    send: ({ call }) => call("/sessions", "DELETE"),
    next: changed("devices", "device-signed-out"),
  },
  "remove-passkey": {
    send: (submission) => remove("passkeys", submission),
    next: changed("passkeys", "passkey-removed"),
  },
  "set-password": {
    // Not trimmed: a trailing space is part of the password.
    send: ({ form, call }) =>
      call("/password", "PUT", { password: String(form.get("password") ?? "") }),
    next: changed("password", "password-saved"),
  },
  "remove-password": {
    send: ({ call }) => call("/password", "DELETE"),
    next: changed("password", "password-removed"),
  },
  "sign-out": {
    send: ({ call }) => call("/sign-out", "POST"),
    next: withOutcome("/login", "signed-out"),
  },
  delete: {
    send: ({ form, call }) => call("", "DELETE", { email: textIn(form, "email") }),
    next: withOutcome("/login", "deleted"),
  },
};

function saveDetails({ request, form, call }: Submission): Promise<WriteSideAnswer> {
  const consents = form.get("marketingConsent") === "yes";
  const change = { name: textIn(form, "name"), locale: textIn(form, "locale") };
  // The consent may have been withdrawn elsewhere since the page was opened, so only a change made here is sent.
  if (textIn(form, "shownConsent") === (consents ? "yes" : "no")) return call("", "PATCH", change);
  const readIn = localeOf(new URL(request.url).pathname);
  return call("", "PATCH", { ...change, marketingConsent: consents, readIn });
}

/** Removes an item. It may be missing: an outdated page or an earlier click may already have removed it. */
async function remove(
  items: "sessions" | "passkeys",
  { form, call }: Submission,
): Promise<WriteSideAnswer> {
  const answer = await call(`/${items}/${encodeURIComponent(textIn(form, "id"))}`, "DELETE");
  return answer.status === 404 ? { ...answer, status: 204 } : answer;
}

/** Applies the change of the button that was pressed. */
export async function action({ request }: Route.ActionArgs) {
  const form = await readAccountForm(request);
  const call: Submission["call"] = (path, method, body) =>
    askWriteSide(request, `/api/account${path}`, { method, body });
  const intent = intentIn(form, INTENTS);
  const answer = intent ? await intent.send({ request, form, call }) : UNKNOWN_INTENT;
  form.delete("password");
  if (!intent || answer.status >= 300) return formRefused(answer, form);
  return redirectOnward(request, intent.next, answer);
}

/** The page with the account's details, devices, passkeys, password and deletion. */
export default function AccountDetails({ loaderData, actionData }: Route.ComponentProps) {
  const [query] = useSearchParams();
  const outcome = actionData ? null : query.get("outcome");
  return <Details account={loaderData} answer={actionData} outcome={outcome} />;
}
