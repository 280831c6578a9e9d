import { afterEach, expect, test, vi } from "vitest";
import { mayReload, reloadForLostScripts } from "./lost-script.ts";

afterEach(() => vi.unstubAllGlobals());

/** A session's storage. */
function session(): Pick<Storage, "getItem" | "setItem"> {
  const stored = new Map<string, string>();
  return {
    getItem: (key) => stored.get(key) ?? null,
    setItem: (key, value) => void stored.set(key, value),
  };
}

/** As much of a field as the page asks. */
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

/** A script is lost; gives whether its caller is told. */
function lose(page: EventTarget): boolean {
  return page.dispatchEvent(new Event("vite:preloadError", { cancelable: true }));
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

test("a page that is being left is not loaded again, since that would call off the step", () => {
  const { page, reload } = openedPage();
  page.dispatchEvent(new Event("beforeunload"));
  page.dispatchEvent(new Event("vite:preloadError", { cancelable: true }));
  expect(reload).not.toHaveBeenCalled();
});

test("a page that stays is loaded again when one of its scripts is lost", () => {
  const { page, reload } = openedPage();
  page.dispatchEvent(new Event("vite:preloadError", { cancelable: true }));
  expect(reload).toHaveBeenCalledOnce();
});

test("what somebody is writing is not taken away by a reload", () => {
  const { page, reload, change } = openedPage();
  const field = new Field("email", "", "");
  change(field);
  expect(lose(page)).toBe(true);
  expect(reload).not.toHaveBeenCalled();
  // Its page has been left: nothing of it is lost.
  field.isConnected = false;
  expect(lose(page)).toBe(false);
  expect(reload).toHaveBeenCalledOnce();
});

test("nor what was written before the script came", () => {
  const { page, reload, fields } = openedPage();
  fields.push(new Field("text", "", ""), new Field("textarea", "Is there a lift?", ""));
  expect(lose(page)).toBe(true);
  expect(reload).not.toHaveBeenCalled();
});

test("a box is nothing written, ticked or not", () => {
  const { page, reload, fields, change } = openedPage();
  const box = new Field("checkbox", "on", "");
  fields.push(box);
  change(box);
  expect(lose(page)).toBe(false);
  expect(reload).toHaveBeenCalledOnce();
});
