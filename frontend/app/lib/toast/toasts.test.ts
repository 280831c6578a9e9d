import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { addToast, onToast, TOAST_MS, takeToasts } from "./toasts.ts";

beforeEach(() => {
  vi.useFakeTimers({ now: 1_800_000_000_000 });
});

afterEach(() => {
  takeToasts();
  vi.useRealTimers();
});

test("a toast's id is its time, and two at the same moment have different ids", () => {
  const first = addToast({ title: "One" });
  const second = addToast({ title: "Two" });
  expect(first).toBe(1_800_000_000_000);
  expect(second).not.toBe(first);
});

test("a toast waits until it is taken, and is taken once", () => {
  addToast({ title: "One" });
  addToast({ title: "Two" });
  expect(takeToasts().map(({ title, timeout }) => [title, timeout])).toEqual([
    ["One", TOAST_MS],
    ["Two", TOAST_MS],
  ]);
  expect(takeToasts()).toEqual([]);
});

test("listeners are called for each toast", () => {
  const heard = vi.fn();
  const stop = onToast(heard);
  addToast({ title: "One" });
  stop();
  addToast({ title: "Two" });
  expect(heard).toHaveBeenCalledOnce();
});
