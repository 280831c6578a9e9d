import { afterEach, expect, test, vi } from "vitest";
import { onCloseRequests } from "./use-close-request.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

test("each request calls back until unsubscribed, after which no watcher is left", () => {
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
  // Like a browser: notifies the newest watcher, and removes it.
  const request = () => {
    const newest = [...watching].at(-1);
    if (!newest) return;
    watching.delete(newest);
    newest.dispatchEvent(new Event("close"));
  };
  vi.stubGlobal("window", { CloseWatcher });
  const close = vi.fn();
  const unsubscribe = onCloseRequests(close);
  request();
  expect(close).toHaveBeenCalledTimes(1);
  // The overlay refused to close, and gets a second request.
  request();
  expect(close).toHaveBeenCalledTimes(2);
  unsubscribe();
  expect(watching.size).toBe(0);
});

test("a browser without close watchers is supported", () => {
  vi.stubGlobal("window", {});
  expect(() => onCloseRequests(() => undefined)()).not.toThrow();
});
