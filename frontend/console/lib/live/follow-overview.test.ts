import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Connection, followOverview, type OverviewSource } from "./follow-overview.ts";

class FakeSource implements OverviewSource {
  readonly #listeners = new Map<string, (event: { data?: unknown }) => void>();
  closed = false;

  addEventListener(type: string, listener: (event: { data?: unknown }) => void): void {
    this.#listeners.set(type, listener);
  }

  close(): void {
    this.closed = true;
  }

  say(type: string, data?: unknown): void {
    this.#listeners.get(type)?.({ data });
  }
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function following() {
  const sources: FakeSource[] = [];
  const states: Connection["state"][] = [];
  const receive = vi.fn();
  const readOnce = vi.fn();
  const stop = followOverview({
    open: () => {
      const source = new FakeSource();
      sources.push(source);
      return source;
    },
    receive,
    readOnce,
    onConnection: ({ state }) => states.push(state),
  });
  const last = () => sources.at(-1) as FakeSource;
  return { sources, states, receive, readOnce, stop, last };
}

test("what the stream tells is taken in, and is live", () => {
  const { last, receive, states, stop } = following();
  last().say("overview", '{"flow":[]}');
  last().say("overview", "{");
  expect(receive.mock.calls).toEqual([[{ flow: [] }]]);
  expect(states).toEqual(["live"]);
  stop();
  expect(last().closed).toBe(true);
});

test("a lost stream is said to be lost, is opened again, and meanwhile it is asked", () => {
  const { last, sources, states, readOnce } = following();
  last().say("overview", "{}");
  last().say("error");
  expect(states).toEqual(["live", "lost"]);
  expect(readOnce).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(3_000);
  expect(sources).toHaveLength(2);
  last().say("error");
  expect(states).toEqual(["live", "lost"]);
  vi.advanceTimersByTime(3_000);
  last().say("overview", "{}");
  expect(states).toEqual(["live", "lost", "live"]);
});

test("a stream that only hangs is lost after ten seconds", () => {
  const { last, sources, states } = following();
  last().say("overview", "{}");
  const hanging = last();
  vi.advanceTimersByTime(9_000);
  hanging.say("overview", "{}");
  vi.advanceTimersByTime(9_999);
  expect(states).toEqual(["live"]);
  vi.advanceTimersByTime(1);
  expect(states).toEqual(["live", "lost"]);
  expect(hanging.closed).toBe(true);
  vi.advanceTimersByTime(3_000);
  expect(sources).toHaveLength(2);
});

test("what a stream says that was given up is not listened to", () => {
  const { last, receive, states } = following();
  const first = last();
  first.say("error");
  first.say("overview", "{}");
  expect(receive).not.toHaveBeenCalled();
  expect(states).toEqual(["lost"]);
});

test("nothing is opened once it is over", () => {
  const { last, sources, stop } = following();
  last().say("error");
  stop();
  vi.advanceTimersByTime(60_000);
  expect(sources).toHaveLength(1);
});
