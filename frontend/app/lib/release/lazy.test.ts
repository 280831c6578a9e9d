import { createElement, Suspense } from "react";
import { renderToPipeableStream } from "react-dom/server";
import { afterEach, expect, test, vi } from "vitest";
import { lazy } from "./lazy.ts";
import { holdsWords } from "./lost-script.ts";

vi.mock("./lost-script.ts", () => ({ holdsWords: vi.fn() }));

afterEach(() => vi.unstubAllEnvs());

test("a renderer has every part from when it starts, whatever becomes of its files", () => {
  let loads = 0;
  lazy(async () => {
    loads += 1;
    return { default: () => null };
  });
  expect(loads).toBe(1);
});

test.each([
  ["told", false, 1],
  ["waited for where somebody is writing", true, 0],
])("a part that is lost is %s", async (_, isWriting, faults) => {
  vi.stubEnv("SSR", false);
  vi.mocked(holdsWords).mockReturnValue(isWriting);
  const onError = vi.fn();
  const Part = lazy<object>(() => Promise.reject(new TypeError("the line is cut")));
  renderToPipeableStream(createElement(Suspense, null, createElement(Part)), { onError });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(onError).toHaveBeenCalledTimes(faults);
});
