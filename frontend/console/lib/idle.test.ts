import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { parkedQuery } from "./api/queries.ts";
import { IDLE_MS, isIdle, watchOver } from "./idle.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("a page that nobody is at asks for nothing, and at once when somebody comes back", () => {
  const page = new EventTarget();
  const comesBack = vi.fn();
  watchOver(page, comesBack);
  const every = parkedQuery.refetchInterval as () => number | false;

  page.dispatchEvent(new Event("keydown"));
  vi.advanceTimersByTime(IDLE_MS - 1);
  expect([isIdle(), every()]).toEqual([false, 10_000]);
  vi.advanceTimersByTime(1);
  expect([isIdle(), every()]).toEqual([true, false]);
  expect(comesBack).not.toHaveBeenCalled();

  page.dispatchEvent(new Event("pointermove"));
  page.dispatchEvent(new Event("pointerdown"));
  expect([isIdle(), every()]).toEqual([false, 10_000]);
  expect(comesBack).toHaveBeenCalledTimes(1);
});
