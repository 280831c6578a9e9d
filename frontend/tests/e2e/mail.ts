import type { Page } from "playwright-core";
import { expect } from "vitest";
import { open, openWhole } from "./site.ts";

/** The address of the mail catcher of the running site. */
const MAIL_URL = process.env.MAIL_URL ?? "";

export interface Mail {
  readonly id: number;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Returns an unused mail address. */
export const newAddress = () => `ann.${crypto.randomUUID()}@example.com`;

/** Returns every mail, the newest first. */
export async function mails(): Promise<readonly Mail[]> {
  return (await fetch(`${MAIL_URL}/api/messages`)).json();
}

/** Returns the mails to `address`, the newest first. */
export async function mailsTo(address: string): Promise<readonly Mail[]> {
  return (await mails()).filter(({ to }) => to.includes(address));
}

/** Waits until `address` has received `count` mails, and returns the last one. */
export async function mailTo(address: string, count = 1): Promise<Mail> {
  await expect.poll(async () => (await mailsTo(address)).length).toBe(count);
  const [mail] = await mailsTo(address);
  if (!mail) throw new Error("the mail has gone");
  return mail;
}

/** Returns the link and the six-digit code of a sign-in mail. */
export function keysOf({ text }: Mail): { link: string; code: string } {
  const link = text.match(/https?:\S+\/login\/link\?token=\S+/)?.[0];
  const code = text.match(/^\s*(\d{3} \d{3})\s*$/m)?.[1];
  if (!link || !code) throw new Error(`no way to sign in: ${text}`);
  // The test may reach the site by another host name.
  const { pathname, search } = new URL(link);
  return { link: pathname + search, code };
}

/** Calls the API from `page`, with the visitor's cookies. */
export async function call(
  page: Page,
  method: "POST" | "PUT",
  path: string,
  body: Record<string, unknown>,
): Promise<void> {
  const init = { method, headers: { "content-type": "application/json" } };
  const answer = await page.evaluate(
    async ([path, init]) => {
      const { ok, status } = await fetch(path, init);
      return { ok, status };
    },
    [path, { ...init, body: JSON.stringify(body) }] as const,
  );
  expect([path, answer]).toEqual([path, { ok: true, status: answer.status }]);
}

/** Signs `page`'s visitor in by code, in English, and opens `path`. The forms have their own tests. */
export async function signIn(
  page: Page,
  address: string,
  path = "/account/details",
): Promise<void> {
  const before = (await mailsTo(address)).length;
  await open(page, "/login");
  await call(page, "POST", "/api/account/sign-in", { email: address, locale: "en", next: path });
  const { code } = keysOf(await mailTo(address, before + 1));
  await call(page, "POST", "/api/account/sign-in/code", { code });
  await openWhole(page, path);
}
