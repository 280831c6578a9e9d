import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { parkedQuery, sessionQuery } from "./api/queries.ts";
import { IDLE_MS, isIdle, watchOver } from "./idle.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("a page that nobody is at asks for nothing, and at once when somebody comes back", () => {
  const page = new EventTarget();
  const comesBack = vi.fn();
  watchOver(page, comesBack);
  const every = parkedQuery.refetchInterval as () => number | false;
  const session = sessionQuery.refetchInterval as () => number | false;

  page.dispatchEvent(new Event("keydown"));
  vi.advanceTimersByTime(IDLE_MS - 1);
  expect([isIdle(), every()]).toEqual([false, 10_000]);
  vi.advanceTimersByTime(1);
  expect([isIdle(), every(), session()]).toEqual([true, false, false]);
  expect(comesBack).not.toHaveBeenCalled();

  page.dispatchEvent(new Event("pointermove"));
  page.dispatchEvent(new Event("pointerdown"));
  expect([isIdle(), every()]).toEqual([false, 10_000]);
  expect(comesBack).toHaveBeenCalledTimes(1);
});

test("the session is kept open for as long as somebody is there, on a page that asks for nothing", () => {
  const page = new EventTarget();
  watchOver(page, () => {});
  const session = sessionQuery.refetchInterval as () => number | false;
  for (let minute = 0; minute < 60; minute += 1) {
    page.dispatchEvent(new Event("pointermove"));
    vi.advanceTimersByTime(60_000);
    expect(session()).toBe(60_000);
  }
});
