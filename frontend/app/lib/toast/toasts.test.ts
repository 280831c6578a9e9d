import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Countdown } from "./countdown.ts";
import { addToast, onToasts, removeToast, TOAST_MS, toasts } from "./toasts.ts";

beforeEach(() => {
  vi.useFakeTimers({ now: 1_800_000_000_000 });
});

afterEach(() => {
  for (const { id } of toasts()) removeToast(id);
  vi.useRealTimers();
});

test("a toast's id is its time, and two of one moment are two", () => {
  const first = addToast({ title: "One" });
  const second = addToast({ title: "Two" });
  expect(first).toBe(1_800_000_000_000);
  expect(second).not.toBe(first);
  expect(toasts().map(({ title, timeout }) => [title, timeout])).toEqual([
    ["One", TOAST_MS],
    ["Two", TOAST_MS],
  ]);
});

test("whoever listens hears of each coming and going", () => {
  const heard = vi.fn();
  const stop = onToasts(heard);
  const id = addToast({ title: "One" });
  removeToast(id);
  stop();
  addToast({ title: "Two" });
  expect(heard).toHaveBeenCalledTimes(2);
});

test("a countdown stands still while it is paused, and goes on with what was left", () => {
  const end = vi.fn();
  const countdown = new Countdown(TOAST_MS, end);
  countdown.resume();
  vi.advanceTimersByTime(4_000);
  countdown.pause();
  vi.advanceTimersByTime(60_000);
  expect(end).not.toHaveBeenCalled();
  countdown.resume();
  vi.advanceTimersByTime(999);
  expect(end).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(end).toHaveBeenCalledOnce();
});
