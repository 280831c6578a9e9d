import { afterEach, expect, test, vi } from "vitest";
import { isTakingOver, makeSleeper, takenOver, wakeAll, watch } from "./sleepers.ts";

interface FakeElement {
  parentElement: FakeElement | null;
}

const seen = new Set<unknown>();
let moved: (entries: readonly object[]) => void = () => {};

class FakeObserver {
  constructor(callback: typeof moved) {
    moved = callback;
  }
  observe = (element: unknown) => seen.add(element);
  unobserve = (element: unknown) => seen.delete(element);
}

const listeners = new Map<string, (event: object) => void>();
vi.stubGlobal("IntersectionObserver", FakeObserver);
vi.stubGlobal("Element", Object);
vi.stubGlobal("addEventListener", (sign: string, listener: () => void) =>
  listeners.set(sign, listener),
);
vi.stubGlobal("removeEventListener", (sign: string) => listeners.delete(sign));

function asleep(): { element: FakeElement; sleeper: ReturnType<typeof makeSleeper> } {
  const element = { parentElement: null };
  const sleeper = makeSleeper();
  watch(element as never, sleeper);
  return { element, sleeper };
}

const near = (target: object, height: number) =>
  moved([{ isIntersecting: true, boundingClientRect: { height }, target }]);

afterEach(() => {
  wakeAll();
  // Nothing is listened to for nobody.
  expect([seen.size, listeners.size]).toEqual([0, 0]);
});

test("one that comes near wakes, and no other; a closed panel is nowhere near", async () => {
  const [one, other] = [asleep(), asleep()];
  near(one.element, 0);
  expect(one.sleeper.awake).toBe(false);
  near(one.element, 400);
  await one.sleeper.woken;
  expect([one.sleeper.awake, other.sleeper.awake]).toEqual([true, false]);
});

test("what happens inside wakes it before the event goes on", () => {
  for (const sign of ["pointerover", "focusin", "click", "beforetoggle"]) {
    const { element, sleeper } = asleep();
    listeners.get(sign)?.({ target: { parentElement: { parentElement: element } } });
    expect(sleeper.awake).toBe(true);
  }
});

test("news wakes all", () => {
  const both = [asleep(), asleep()];
  wakeAll();
  expect(both.map(({ sleeper }) => sleeper.awake)).toEqual([true, true]);
});

test("only a document's first taking over has sleepers, and the server none", () => {
  expect(isTakingOver()).toBe(false);
  vi.stubGlobal("document", {});
  expect(isTakingOver()).toBe(true);
  takenOver();
  expect(isTakingOver()).toBe(false);
});
