import { redirect } from "react-router";
import { localeOf, localizedPath } from "#app/lib/i18n/locale.ts";
import { signedInPath } from "./next-path.ts";
import type { Account, Export, Me } from "./schema.gen.ts";

export type {
  Account,
  AskedSearch,
  Export,
  ListedPasskey,
  ListedSession,
  Me,
  MyHome,
  SavedSearch,
  SentEnquiry,
  Subscription,
} from "./schema.gen.ts";

/** The refusal of an account form, with which the page is rendered again. */
export interface FormAnswer {
  /** The fields with invalid values. */
  readonly fields?: readonly string[];
  readonly failure?: "too-many" | "other-browser" | "full" | "over" | "away";
  /** The typed values. */
  readonly values?: Readonly<Record<string, string>>;
}

/** Converts a refusal of the write side to a form answer. */
export function refusalOf(status: number, body: unknown): FormAnswer {
  const { errors, type } = (body ?? {}) as {
    errors?: readonly { field: string }[];
    type?: string;
  };
  if (status === 422 && errors) return { fields: errors.map(({ field }) => field) };
  if (status === 429) return { failure: "too-many" };
  if (status === 409)
    return { failure: type?.endsWith(":too-many-searches") ? "full" : "other-browser" };
  if (status === 410) return { failure: "over" };
  return { failure: "away" };
}

/** Returns whether the cookies mark this browser as signed in. */
export function isMarkedSignedIn(cookies: string | null): boolean {
  return /(?:^|;\s*)account=1(?:;|$)/.test(cookies ?? "");
}

const ANSWER_LIMIT_MS = 10_000;

async function fetchJson<Body>(path: string): Promise<{ status: number; body: Body | undefined }> {
  const answer = await fetch(path, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) });
  return { status: answer.status, body: answer.ok ? await answer.json() : undefined };
}

/** Returns the account that is signed in in this browser, or undefined if nobody is signed in. */
export function readAccount(): Promise<Account | undefined> {
  return fetchForAccount("/api/account");
}

/** Returns everything that is stored for the account. */
export function readExport(): Promise<Export | undefined> {
  return fetchForAccount("/api/account/export");
}

async function fetchForAccount<Body>(path: string): Promise<Body | undefined> {
  const { status, body } = await fetchJson<Body>(path);
  if (!body && status !== 401) throw new Response(null, { status: 503 });
  return body;
}

/** Makes the browser's loader of a page that shows the account's owner what `read` returns. */
export function browserAccountPage<Body>(read: () => Promise<Body | undefined>) {
  return async ({ url }: { readonly url: URL }): Promise<Body> => {
    const found = await read();
    if (!found) throw signInFirst(url);
    return found;
  };
}

/** Makes the browser's loader of a sign-in page. A visitor who is already signed in is redirected onward. */
export function browserSignInPage() {
  return async ({ url }: { readonly url: URL }): Promise<null> => {
    if (isMarkedSignedIn(document.cookie) && (await readAccount())) {
      throw redirect(signedInPath(url));
    }
    return null;
  };
}

/**
 * Returns the signed-in account, if any, with its homes. Throws if the write side can't tell whether anybody
 * is signed in.
 */
export async function readMe(): Promise<Me> {
  const { status, body } = await fetchJson<Me>("/api/me");
  if (!body) throw new Error(`/api/me: ${status}`);
  return body;
}

/** Redirects a visitor who is not signed in to the sign-in page, to come back to `url` afterwards. */
export function signInFirst(url: URL): Response {
  const next = new URLSearchParams({ next: url.pathname });
  return redirect(localizedPath(localeOf(url.pathname), `/login?${next}`));
}
