import { redirect } from "react-router";
import { localeOf, localizedPath } from "#app/lib/i18n/locale.ts";
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

/** What a form of the account was answered, where the page is made anew with it. */
export interface FormAnswer {
  /** The fields that can't be taken. */
  readonly fields?: readonly string[];
  readonly failure?: "too-many" | "other-browser" | "full" | "over" | "away";
  /** What was typed. */
  readonly values?: Readonly<Record<string, string>>;
}

/** What the write side's refusal says. */
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

/** Whether the cookies say that there is a session. */
export function isMarkedSignedIn(cookies: string | null): boolean {
  return /(?:^|;\s*)account=1(?:;|$)/.test(cookies ?? "");
}

const ANSWER_LIMIT_MS = 10_000;

async function fetchJson<Body>(path: string): Promise<{ status: number; body: Body | undefined }> {
  const answer = await fetch(path, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) });
  return { status: answer.status, body: answer.ok ? await answer.json() : undefined };
}

/** The account of whoever uses this browser; nothing where nobody is signed in. */
export function readAccount(): Promise<Account | undefined> {
  return readOfOwner("/api/account");
}

/** Everything that is kept of it. */
export function readExport(): Promise<Export | undefined> {
  return readOfOwner("/api/account/export");
}

async function readOfOwner<Body>(path: string): Promise<Body | undefined> {
  const { status, body } = await fetchJson<Body>(path);
  if (!body && status !== 401) throw new Response(null, { status: 503 });
  return body;
}

/** The browser's loader of a page that shows its owner what `read` finds. */
export function browserOwnersPage<Body>(read: () => Promise<Body | undefined>) {
  return async ({ url }: { readonly url: URL }): Promise<Body> => {
    const found = await read();
    if (!found) throw signInFirst(url);
    return found;
  };
}

/** Who uses this browser, with their homes. It fails where nobody says whether anybody is signed in. */
export async function readMe(): Promise<Me> {
  const { status, body } = await fetchJson<Me>("/api/me");
  if (!body) throw new Error(`/api/me: ${status}`);
  return body;
}

/** Where whoever is not signed in goes first, to come back to `url`. */
export function signInFirst(url: URL): Response {
  const next = new URLSearchParams({ next: url.pathname });
  return redirect(localizedPath(localeOf(url.pathname), `/login?${next}`));
}
