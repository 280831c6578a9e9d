import { data, redirect } from "react-router";
import { valuesOf } from "#app/lib/form/form-data.ts";
import { localeOf, localizedPath } from "#app/lib/i18n/locale.ts";
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
import { readNext } from "./next-path.ts";

/** The account of whoever sent `request`; nothing where nobody is signed in. */
export function readAccount(request: Request): Promise<Account | undefined> {
  return askForOwner(request, "/api/account");
}

/** Everything that is kept of it. */
export function readExport(request: Request): Promise<Export | undefined> {
  return askForOwner(request, "/api/account/export");
}

async function askForOwner<Body>(request: Request, path: string): Promise<Body | undefined> {
  if (!isMarkedSignedIn(request.headers.get("cookie"))) return undefined;
  const { status, body } = await askWriteSide(request, path);
  if (status === 200) return body as Body;
  if (status === 401) return undefined;
  throw data(null, { status: 503 });
}

/** The loader of a page that shows its owner what `read` finds; whoever is not signed in does that first. */
export function ownersPage<Body>(read: (request: Request) => Promise<Body | undefined>) {
  const load = privatePage();
  return async (from: Parameters<typeof load>[0]): Promise<Body> => {
    await load(from);
    const found = await read(from.request);
    if (!found) throw signInFirst(from.url);
    return found;
  };
}

/**
 * The form that `request` brings for the account that is signed in. One from a page of another account, which
 * was left open while its owner signed out and somebody else signed in, changes nothing: its page comes as it
 * is by now, and says so. A form of a build before does not say whose it is.
 */
export async function ownersForm(request: Request): Promise<FormData> {
  const form = await request.formData();
  const owner = form.get("account");
  if (owner === null) return form;
  const account = await readAccount(request);
  if (account && account.email !== owner) {
    throw redirect(`${new URL(request.url).pathname}?other`, 303);
  }
  return form;
}

/** The loader of a page of signing in, from where whoever is signed in already goes on. */
export function signInPage() {
  const load = privatePage();
  return async (from: Parameters<typeof load>[0]) => {
    if (await readAccount(from.request)) {
      const next = readNext(from.url.searchParams);
      // Of what a link may say, only the client area itself.
      const isThere = /^\/(es\/)?account(\/|$)/.test(next);
      throw redirect(isThere ? next : localizedPath(localeOf(from.url.pathname), "/account"));
    }
    return load(from);
  };
}

/** Signs in by a code, a link or a password: `body` is what proves it, and `form` holds what was typed. */
export async function signInBy(
  way: "code" | "link" | "password",
  body: Readonly<Record<string, string>>,
  request: Request,
  form: FormData,
) {
  const path = `/api/account/sign-in/${way}`;
  const answer = await askWriteSide(request, path, { method: "POST", body });
  if (answer.status === 410 && (await isOfPresent(way, answer, request))) {
    // Most have used it in this browser already; who asks for another is led to the account as well.
    return onward(request, readNext(new URL(request.url).searchParams) || "/account", answer);
  }
  if (answer.status !== 200) return refused(answer, form);
  const { next } = answer.body as { next?: string };
  return onward(request, next ?? "/account", answer);
}

/** Whether what can't be used any more was for who is signed in. A code is this browser's own; a link may be another's. */
async function isOfPresent(way: string, { body }: WriteSideAnswer, request: Request) {
  if (way !== "link") return (await readAccount(request)) !== undefined;
  return (body as { type?: string } | undefined)?.type?.endsWith(":signed-in-already") ?? false;
}

/**
 * Asks the write side for what its visitor may agree to by it, and says as `name` in which language they have
 * read that, and what else they were `shown`. A write side that was rolled back refuses what it does not know yet:
 * it is asked without that, the newest first.
 */
export async function askAsRead(
  request: Request,
  path: string,
  {
    method,
    body,
    name,
    shown,
  }: { method: string; body: object; name: "locale" | "readIn"; shown?: object },
): Promise<WriteSideAnswer> {
  const locale = localeOf(new URL(request.url).pathname);
  const ask = (body: object) => askWriteSide(request, path, { method, body });
  let answer = await ask({ ...body, ...shown, [name]: locale });
  if (answer.status === 400 && shown) answer = await ask({ ...body, [name]: locale });
  return answer.status === 400 ? ask(body) : answer;
}

/** Goes on to `path` in the page's language, with the cookies that the write side gave. */
export function onward(request: Request, path: string, answer: WriteSideAnswer): Response {
  const locale = localeOf(new URL(request.url).pathname);
  // A path that the write side kept has its language already.
  const to = path.startsWith("/es/") || path === "/es" ? path : localizedPath(locale, path);
  return redirect(to, { status: 303, headers: answer.cookies });
}

/** The page once more, with what is wrong and what was typed. */
export function refused(answer: WriteSideAnswer, form: FormData) {
  const refusal: FormAnswer = {
    ...refusalOf(answer.status, answer.body),
    values: valuesOf(form),
  };
  // The door takes 503 for a page that could not be made.
  const status = answer.status >= 500 ? 200 : answer.status;
  return data(refusal, { status, headers: answer.cookies });
}
