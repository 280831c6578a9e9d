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

const page = Object.assign(new EventTarget(), { hidden: false });

function setVisibility(what: "hidden" | "visible"): void {
  page.hidden = what === "hidden";
  page.dispatchEvent(new Event("visibilitychange"));
}

beforeEach(() => {
  vi.useFakeTimers();
  page.hidden = false;
  vi.stubGlobal("document", page);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

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

test("an overview from the stream is received, and the connection is live", () => {
  const { last, receive, states, stop } = following();
  last().say("overview", '{"flow":[]}');
  last().say("overview", "{");
  expect(receive.mock.calls).toEqual([[{ flow: [] }]]);
  expect(states).toEqual(["live"]);
  stop();
  expect(last().closed).toBe(true);
});

test("a lost stream is reported and reopened, and meanwhile the overview is requested", () => {
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

test("a silent stream counts as lost after ten seconds", () => {
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

test("events of an abandoned stream are ignored", () => {
  const { last, receive, states } = following();
  const first = last();
  first.say("error");
  first.say("overview", "{}");
  expect(receive).not.toHaveBeenCalled();
  expect(states).toEqual(["lost"]);
});

test("nothing is opened after stop", () => {
  const { last, sources, stop } = following();
  last().say("error");
  stop();
  vi.advanceTimersByTime(60_000);
  expect(sources).toHaveLength(1);
});

/** Sends an event every two seconds, as the service does. */
function sendFor(seconds: number, say: () => void): void {
  for (let second = 0; second < seconds; second += 2) {
    vi.advanceTimersByTime(2_000);
    say();
  }
}

test("a page that is hidden for half a minute closes its connection until it is visible", () => {
  const { last, sources, states, readOnce, receive } = following();
  const first = last();
  const say = () => first.say("overview", "{}");
  say();
  setVisibility("hidden");
  sendFor(28, say);
  setVisibility("visible");
  setVisibility("hidden");
  sendFor(28, say);
  expect(first.closed).toBe(false);
  sendFor(2, say);
  expect(first.closed).toBe(true);
  const received = receive.mock.calls.length;
  sendFor(60, say);
  expect([sources.length, receive.mock.calls.length]).toEqual([1, received]);
  expect(readOnce).not.toHaveBeenCalled();
  setVisibility("visible");
  expect(sources).toHaveLength(2);
  last().say("overview", "{}");
  expect(states).toEqual(["live", "connecting", "live"]);
});

test("a hidden page does not keep reopening a lost stream", () => {
  const { last, sources, states } = following();
  last().say("overview", "{}");
  setVisibility("hidden");
  sendFor(28, () => last().say("overview", "{}"));
  last().say("error");
  vi.advanceTimersByTime(2_000);
  const tries = sources.length;
  vi.advanceTimersByTime(600_000);
  expect(sources).toHaveLength(tries);
  expect(states).toEqual(["live", "lost"]);
  setVisibility("visible");
  expect(sources).toHaveLength(tries + 1);
});

test("a page that is opened in the background follows nothing until it is visible", () => {
  page.hidden = true;
  const { sources, stop } = following();
  vi.advanceTimersByTime(60_000);
  expect(sources).toHaveLength(0);
  setVisibility("visible");
  expect(sources).toHaveLength(1);
  stop();
  setVisibility("hidden");
  setVisibility("visible");
  vi.advanceTimersByTime(60_000);
  expect(sources).toHaveLength(1);
});
