import { afterEach, expect, test, vi } from "vitest";
import { reloadOnceSignedOut } from "./signed-out.ts";

afterEach(() => vi.unstubAllGlobals());

/** Opens a private page of Ann's, in a browser where `me` answers who is signed in. */
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

test("a private page that a step back restores is reloaded after its owner has signed out", () => {
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

test("a private page that becomes visible is reloaded after a sign-out in another tab", () => {
  const { page, reload, look } = opened(me("ann@example.com"));
  page.cookie = "";
  page.hidden = true;
  look();
  expect(reload).not.toHaveBeenCalled();
  page.hidden = false;
  look();
  expect(reload).toHaveBeenCalledOnce();
});

test.each(["look", "show"] as const)(
  "a private page is reloaded after somebody else has signed in (%s)",
  async (how) => {
    const answers = vi.fn(me("ann@example.com"));
    const { reload, ...tab } = opened(answers);
    tab[how](true);
    await vi.waitFor(() => expect(answers).toHaveBeenCalledTimes(2));
    await new Promise(setImmediate);
    expect(reload).not.toHaveBeenCalled();
    answers.mockImplementation(me("bea@example.com"));
    tab[how](true);
    await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());
  },
);

test("a private page stays if the account can't be read, and once it was left", async () => {
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
