import { data, redirect } from "react-router";
import { valuesOf } from "#app/lib/form/form-data.ts";
import { localeOf } from "#app/lib/i18n/locale.ts";
import { privatePage } from "#app/lib/query/page.server.ts";
import { askWriteSide, type WriteSideAnswer } from "#app/lib/server/write-side.server.ts";
import {
  type Account,
  type Export,
  type FormAnswer,
  isMarkedSignedIn,
  refusalOf,
  signInFirst,
} from "./account.ts";
import { onwardPath, readNext, signedInPath } from "./next-path.ts";
import { withOutcome } from "./outcome.ts";

/** Returns the account that is signed in for `request`, or undefined if nobody is signed in. */
export function readAccount(request: Request): Promise<Account | undefined> {
  return fetchForAccount(request, "/api/account");
}

/** Returns everything that is stored for the account, for a data export. */
export function readExport(request: Request): Promise<Export | undefined> {
  return fetchForAccount(request, "/api/account/export");
}

async function fetchForAccount<Body>(request: Request, path: string): Promise<Body | undefined> {
  if (!isMarkedSignedIn(request.headers.get("cookie"))) return undefined;
  const { status, body } = await askWriteSide(request, path);
  if (status === 200) return body as Body;
  if (status === 401) return undefined;
  throw data(null, { status: 503 });
}

/**
 * Makes the loader of a page that shows the account's owner what `read` returns. A visitor who is not signed
 * in is redirected to the sign-in page first.
 */
export function accountPage<Body>(read: (request: Request) => Promise<Body | undefined>) {
  const load = privatePage();
  return async (from: Parameters<typeof load>[0]): Promise<Body> => {
    await load(from);
    const found = await read(from.request);
    if (!found) throw signInFirst(from.url);
    return found;
  };
}

/**
 * Reads the form in `request`, which must belong to the account that is signed in. A form from a page of
 * another account, left open while its owner signed out and somebody else signed in, changes nothing: the
 * visitor is redirected to the current page, which shows a notice. The area's own button to sign out carries
 * no account: it signs out whoever is signed in.
 */
export async function readAccountForm(request: Request): Promise<FormData> {
  const form = await request.formData();
  const owner = form.get("account");
  if (owner === null) return form;
  const account = await readAccount(request);
  if (account && account.email !== owner) {
    throw redirect(withOutcome(new URL(request.url).pathname, "other-account"), 303);
  }
  return form;
}

/** Makes the loader of a sign-in page. A visitor who is already signed in is redirected onward. */
export function signInPage() {
  const load = privatePage();
  return async (from: Parameters<typeof load>[0]) => {
    if (await readAccount(from.request)) throw redirect(signedInPath(from.url));
    return load(from);
  };
}

/** Signs in by a code, a link or a password. `body` holds the proof of identity, `form` what was typed. */
export async function signInBy(
  method: "code" | "link" | "password",
  body: Readonly<Record<string, string>>,
  request: Request,
  form: FormData,
) {
  const path = `/api/account/sign-in/${method}`;
  const answer = await askWriteSide(request, path, { method: "POST", body });
  if (answer.status === 410 && (await isSignedInAlready(method, answer, request))) {
    // Most of these visitors have already used it in this browser, so they go on to the account, including a
    // visitor who asks for another code or link.
    return redirectOnward(
      request,
      readNext(new URL(request.url).searchParams) || "/account",
      answer,
    );
  }
  if (answer.status !== 200) return formRefused(answer, form);
  const { next } = answer.body as { next?: string };
  return redirectOnward(request, next ?? "/account", answer);
}

/**
 * Returns whether an expired code or link belongs to the account that is signed in. A code always belongs to
 * this browser; a link may belong to another account.
 */
async function isSignedInAlready(method: string, { body }: WriteSideAnswer, request: Request) {
  if (method !== "link") return (await readAccount(request)) !== undefined;
  return (body as { type?: string } | undefined)?.type?.endsWith(":signed-in-already") ?? false;
}

/** Redirects to `path` in the page's language, with the cookies that the write side set. */
export function redirectOnward(request: Request, path: string, answer: WriteSideAnswer): Response {
  const to = onwardPath(localeOf(new URL(request.url).pathname), path);
  return redirect(to, { status: 303, headers: answer.cookies });
}

/** The answer to a form whose intent is not known: its page was rendered by another build. */
export const UNKNOWN_INTENT: WriteSideAnswer = {
  status: 400,
  body: undefined,
  cookies: new Headers(),
};

/** Renders the page again with the refusal and the typed values. */
export function formRefused(answer: WriteSideAnswer, form: FormData) {
  const refusal: FormAnswer = {
    ...refusalOf(answer.status, answer.body),
    values: valuesOf(form),
  };
  // The door treats a 503 as a page that could not be rendered.
  const status = answer.status >= 500 ? 200 : answer.status;
  return data(refusal, { status, headers: answer.cookies });
}
