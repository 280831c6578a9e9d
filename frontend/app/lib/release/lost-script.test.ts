import { afterEach, expect, test, vi } from "vitest";
import { mayReload } from "./lost-script.ts";

afterEach(() => vi.unstubAllGlobals());

/** A session's storage. */
function session(): Pick<Storage, "getItem" | "setItem"> {
  const held = new Map<string, string>();
  return {
    getItem: (key) => held.get(key) ?? null,
    setItem: (key, value) => void held.set(key, value),
  };
}

test("a page is loaded again once within ten seconds", () => {
  vi.stubGlobal("sessionStorage", session());
  const now = 1_800_000_000_000;
  expect(mayReload(now)).toBe(true);
  expect(mayReload(now + 9_999)).toBe(false);
  expect(mayReload(now + 10_000)).toBe(true);
});

test("where nothing can be remembered it is not loaded again at all", () => {
  vi.stubGlobal("sessionStorage", {
    getItem: () => {
      throw new DOMException("refused", "SecurityError");
    },
  });
  expect(mayReload()).toBe(false);
});
