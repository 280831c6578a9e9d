import { afterEach, expect, test, vi } from "vitest";
import { previewAddress, savePreview, takeSavedPreview } from "./preview.ts";

afterEach(() => vi.unstubAllGlobals());

test("a tab remembers a preview, and returns it once", () => {
  const kept = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
    removeItem: (name: string) => kept.delete(name),
  });
  savePreview("draft");
  expect(takeSavedPreview()).toBe("draft");
  expect(takeSavedPreview()).toBeUndefined();
});

test("in a frame whose storage throws nothing is remembered, and nothing breaks", () => {
  vi.stubGlobal(
    "sessionStorage",
    new Proxy(
      {},
      {
        get() {
          throw new DOMException("denied", "SecurityError");
        },
      },
    ),
  );
  expect(() => savePreview("draft")).not.toThrow();
  expect(takeSavedPreview()).toBeUndefined();
});

test("an address keeps its other parameters", () => {
  const here = { href: "https://homes.example/a?page=2&preview=draft#b" };
  expect(previewAddress(here, "")).toBe("/a?page=2&preview=#b");
  expect(previewAddress(here, "on")).toBe("/a?page=2&preview=on#b");
});
