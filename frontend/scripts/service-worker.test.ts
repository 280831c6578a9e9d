import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";

const ORIGIN = "https://almijara.example";
const WORKER = readFileSync(new URL("../public/sw.js", import.meta.url), "utf8");
const DAY_MS = 24 * 60 * 60 * 1_000;

/** A page as the worker stores it. */
function page(title: string, days: number): Response {
  const at = new Date(Date.now() - days * DAY_MS).toISOString();
  return new Response(`<html><head><title>${title}</title></head><body></body></html>`, {
    headers: { "almijara-kept-at": at },
  });
}

/** Returns the worker's offline answer at `path` when it has stored `pages`. */
async function offline(path: string, pages: Map<string, Response>): Promise<string> {
  const cache = {
    match: async (key: string | { url: string }) =>
      pages.get(typeof key === "string" ? key : key.url)?.clone(),
    keys: async () => [...pages.keys()].map((url) => ({ url })),
    delete: async (key: string | { url: string }) =>
      pages.delete(typeof key === "string" ? key : key.url),
  };
  const listeners = new Map<string, (event: unknown) => void>();
  runInNewContext(WORKER, {
    self: { location: { origin: ORIGIN }, addEventListener: listeners.set.bind(listeners) },
    caches: { open: async () => cache },
    fetch: () => Promise.reject(new TypeError("no connection")),
    Headers,
    Response,
    URL,
  });
  const answer = await new Promise<Response>((respondWith) => {
    const request = { method: "GET", mode: "navigate", url: ORIGIN + path };
    listeners.get("fetch")?.({ request, respondWith });
  });
  return answer.text();
}

test("offline, pages that are too old are not offered", async () => {
  const pages = new Map([
    [`${ORIGIN}/about`, page("About us", 29)],
    [`${ORIGIN}/news`, page("News", 31)],
  ]);
  const text = await offline("/team", pages);
  expect(text).toContain('<a href="/about">About us</a>');
  expect(text).not.toContain("News");
  expect([...pages.keys()]).toEqual([`${ORIGIN}/about`]);
  expect(await offline("/about", pages)).toContain("This page is as it was on");

  pages.set(`${ORIGIN}/news`, page("News", 31));
  expect(await offline("/news", pages)).toContain("This page is not saved");
  expect(pages.has(`${ORIGIN}/news`)).toBe(false);
});
