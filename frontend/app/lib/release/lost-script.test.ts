import { afterEach, expect, test, vi } from "vitest";
import { mayReload, reloadForLostScripts } from "./lost-script.ts";

afterEach(() => vi.unstubAllGlobals());

/** A session storage. */
function session(): Pick<Storage, "getItem" | "setItem"> {
  const stored = new Map<string, string>();
  return {
    getItem: (key) => stored.get(key) ?? null,
    setItem: (key, value) => void stored.set(key, value),
  };
}

/** A minimal form field. */
class Field {
  isConnected = true;

  constructor(
    readonly type: string,
    readonly value: string,
    readonly defaultValue: string,
  ) {}

  matches(selector: string): boolean {
    return !selector.includes(`[type=${this.type}]`);
  }
}

/** A page that reloads for lost scripts. */
function openedPage() {
  const page = new EventTarget();
  const reload = vi.fn();
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
  vi.stubGlobal("location", { reload });
  vi.stubGlobal("navigator", { onLine: true });
  vi.stubGlobal("sessionStorage", session());
  const fields: Field[] = [];
  vi.stubGlobal("Element", Field);
  vi.stubGlobal("document", {
    querySelectorAll: (selector: string) => fields.filter((field) => field.matches(selector)),
  });
  reloadForLostScripts();
  const change = (field: Field) => {
    const typed = new Event("input");
    Object.defineProperty(typed, "target", { value: field });
    page.dispatchEvent(typed);
  };
  return { page, reload, fields, change };
}

/** Simulates a script that fails to load; returns whether its importer gets the error. */
function lose(page: EventTarget): boolean {
  return page.dispatchEvent(new Event("vite:preloadError", { cancelable: true }));
}

test("a page is reloaded once within ten seconds", () => {
  vi.stubGlobal("sessionStorage", session());
  const now = 1_800_000_000_000;
  expect(mayReload(now)).toBe(true);
  expect(mayReload(now + 9_999)).toBe(false);
  expect(mayReload(now + 10_000)).toBe(true);
});

test("without storage a page is not reloaded at all", () => {
  vi.stubGlobal("sessionStorage", {
    getItem: () => {
      throw new DOMException("refused", "SecurityError");
    },
  });
  expect(mayReload()).toBe(false);
});

test("a page that is being left is not reloaded, since that would abort the navigation", () => {
  const { page, reload } = openedPage();
  page.dispatchEvent(new Event("beforeunload"));
  page.dispatchEvent(new Event("vite:preloadError", { cancelable: true }));
  expect(reload).not.toHaveBeenCalled();
});

test("a page that stays is reloaded when one of its scripts fails to load", () => {
  const { page, reload } = openedPage();
  page.dispatchEvent(new Event("vite:preloadError", { cancelable: true }));
  expect(reload).toHaveBeenCalledOnce();
});

test("text that is being typed is not discarded by a reload", () => {
  const { page, reload, change } = openedPage();
  const field = new Field("email", "", "");
  change(field);
  expect(lose(page)).toBe(true);
  expect(reload).not.toHaveBeenCalled();
  // Its page has been left, so nothing is lost.
  field.isConnected = false;
  expect(lose(page)).toBe(false);
  expect(reload).toHaveBeenCalledOnce();
});

test("text that was typed before hydration is not discarded by a reload", () => {
  const { page, reload, fields } = openedPage();
  fields.push(new Field("text", "", ""), new Field("textarea", "Is there a lift?", ""));
  expect(lose(page)).toBe(true);
  expect(reload).not.toHaveBeenCalled();
});

test("a checkbox does not prevent a reload", () => {
  const { page, reload, fields, change } = openedPage();
  const box = new Field("checkbox", "on", "");
  fields.push(box);
  change(box);
  expect(lose(page)).toBe(false);
  expect(reload).toHaveBeenCalledOnce();
});
