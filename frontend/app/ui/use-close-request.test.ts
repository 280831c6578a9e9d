import { afterEach, expect, test, vi } from "vitest";
import { hearCloseRequests } from "./use-close-request.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

test("each request is heard until the hearing ends, and no watcher is left", () => {
  const watching = new Set<EventTarget>();
  class CloseWatcher extends EventTarget {
    constructor() {
      super();
      watching.add(this);
    }
    destroy() {
      watching.delete(this);
    }
  }
  // As a browser: the youngest is asked, and is spent with that.
  const request = () => {
    const youngest = [...watching].at(-1);
    if (!youngest) return;
    watching.delete(youngest);
    youngest.dispatchEvent(new Event("close"));
  };
  vi.stubGlobal("window", { CloseWatcher });
  const close = vi.fn();
  const end = hearCloseRequests(close);
  request();
  expect(close).toHaveBeenCalledTimes(1);
  // It was refused, and is asked for again.
  request();
  expect(close).toHaveBeenCalledTimes(2);
  end();
  expect(watching.size).toBe(0);
});

test("a browser that has no such requests has none to hear", () => {
  vi.stubGlobal("window", {});
  expect(() => hearCloseRequests(() => undefined)()).not.toThrow();
});
