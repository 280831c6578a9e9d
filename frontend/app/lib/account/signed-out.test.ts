import { afterEach, expect, test, vi } from "vitest";
import { reloadOnceSignedOut } from "./signed-out.ts";

afterEach(() => vi.unstubAllGlobals());

/** A page of Ann's own, in a browser where `me` answers who is signed in. */
function opened(me: () => Promise<Response>) {
  const page = Object.assign(new EventTarget(), { cookie: "account=1", hidden: false });
  const reload = vi.fn();
  vi.stubGlobal("document", page);
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
  vi.stubGlobal("location", { reload });
  vi.stubGlobal("fetch", me);
  const stop = reloadOnceSignedOut();
  const show = (persisted: boolean) =>
    page.dispatchEvent(Object.assign(new Event("pageshow"), { persisted }));
  const look = () => page.dispatchEvent(new Event("visibilitychange"));
  return { page, reload, stop, show, look };
}

const me = (email: string) => async () => Response.json({ account: { email }, homes: [] });

test("a page of somebody's own is not shown again by a step back after they have signed out", () => {
  const { page, reload, stop, show } = opened(me("ann@example.com"));
  show(true);
  expect(reload).not.toHaveBeenCalled();
  page.cookie = "language=es";
  show(false);
  expect(reload).not.toHaveBeenCalled();
  show(true);
  expect(reload).toHaveBeenCalledOnce();
  stop();
  show(true);
  expect(reload).toHaveBeenCalledOnce();
});

test("nor where its tab is looked at after they have signed out in another", () => {
  const { page, reload, look } = opened(me("ann@example.com"));
  page.cookie = "";
  page.hidden = true;
  look();
  expect(reload).not.toHaveBeenCalled();
  page.hidden = false;
  look();
  expect(reload).toHaveBeenCalledOnce();
});

test.each(["look", "show"] as const)("nor to who has signed in since (%s)", async (how) => {
  const answers = vi.fn(me("ann@example.com"));
  const { reload, ...tab } = opened(answers);
  tab[how](true);
  await vi.waitFor(() => expect(answers).toHaveBeenCalledTimes(2));
  await new Promise(setImmediate);
  expect(reload).not.toHaveBeenCalled();
  answers.mockImplementation(me("bea@example.com"));
  tab[how](true);
  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());
});

test("it stays where nobody says who is signed in, and once it was left", async () => {
  const answers = vi.fn(me("ann@example.com"));
  const { reload, look, stop } = opened(answers);
  answers.mockImplementation(async () => new Response(null, { status: 503 }));
  look();
  answers.mockImplementation(me("bea@example.com"));
  look();
  stop();
  await vi.waitFor(() => expect(answers).toHaveBeenCalledTimes(3));
  await new Promise(setImmediate);
  expect(reload).not.toHaveBeenCalled();
});
