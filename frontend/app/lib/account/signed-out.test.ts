import { afterEach, expect, test, vi } from "vitest";
import { reloadOnceSignedOut } from "./signed-out.ts";

afterEach(() => vi.unstubAllGlobals());

test("a page of somebody's own is not shown again by a step back after they have signed out", () => {
  const page = Object.assign(new EventTarget(), { cookie: "account=1" });
  const reload = vi.fn();
  vi.stubGlobal("document", page);
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
  vi.stubGlobal("removeEventListener", page.removeEventListener.bind(page));
  vi.stubGlobal("location", { reload });
  const show = (persisted: boolean) =>
    page.dispatchEvent(Object.assign(new Event("pageshow"), { persisted }));

  const stop = reloadOnceSignedOut();
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
