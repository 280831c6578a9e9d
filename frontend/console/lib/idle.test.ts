import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { parkedQuery, sessionQuery } from "./api/queries.ts";
import { IDLE_MS, isIdle, watchActivity } from "./idle.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("an idle page polls nothing, and refetches at once when the operator returns", () => {
  const page = new EventTarget();
  const onReturn = vi.fn();
  watchActivity(page, onReturn);
  const every = parkedQuery.refetchInterval as () => number | false;
  const session = sessionQuery.refetchInterval as () => number | false;

  page.dispatchEvent(new Event("keydown"));
  vi.advanceTimersByTime(IDLE_MS - 1);
  expect([isIdle(), every()]).toEqual([false, 10_000]);
  vi.advanceTimersByTime(1);
  expect([isIdle(), every(), session()]).toEqual([true, false, false]);
  expect(onReturn).not.toHaveBeenCalled();

  page.dispatchEvent(new Event("pointermove"));
  page.dispatchEvent(new Event("pointerdown"));
  expect([isIdle(), every()]).toEqual([false, 10_000]);
  expect(onReturn).toHaveBeenCalledTimes(1);
});

test("polling keeps the session open while the operator is active, on a page without lists", () => {
  const page = new EventTarget();
  watchActivity(page, () => {});
  const session = sessionQuery.refetchInterval as () => number | false;
  for (let minute = 0; minute < 60; minute += 1) {
    page.dispatchEvent(new Event("pointermove"));
    vi.advanceTimersByTime(60_000);
    expect(session()).toBe(60_000);
  }
});
