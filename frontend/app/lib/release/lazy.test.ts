import { createElement, Suspense } from "react";
import { renderToPipeableStream } from "react-dom/server";
import { afterEach, expect, test, vi } from "vitest";
import { lazy } from "./lazy.ts";
import { hasUnsavedText } from "./lost-script.ts";

vi.mock("./lost-script.ts", () => ({ hasUnsavedText: vi.fn() }));

afterEach(() => vi.unstubAllEnvs());

test("a renderer loads every part at start, whatever happens to its files afterwards", () => {
  let loads = 0;
  lazy(async () => {
    loads += 1;
    return { default: () => null };
  });
  expect(loads).toBe(1);
});

test.each([
  ["reported as an error", false, 1],
  ["pending while somebody is typing", true, 0],
])("a part that fails to load is %s", async (_, isTyping, errors) => {
  vi.stubEnv("SSR", false);
  vi.mocked(hasUnsavedText).mockReturnValue(isTyping);
  const onError = vi.fn();
  const Part = lazy<object>(() => Promise.reject(new TypeError("the line is cut")));
  renderToPipeableStream(createElement(Suspense, null, createElement(Part)), { onError });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(onError).toHaveBeenCalledTimes(errors);
});
