import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { onStored, publish, read, write } from "./stored.ts";

/** As much of a window's as is needed. */
class FakeStorageEvent extends Event {
  readonly key: string | null;
  readonly newValue: string | null;

  constructor(type: string, { key = null, newValue = null }: StorageEventInit) {
    super(type);
    this.key = key;
    this.newValue = newValue;
  }
}

beforeEach(() => {
  const window = new EventTarget();
  vi.stubGlobal("addEventListener", window.addEventListener.bind(window));
  vi.stubGlobal("removeEventListener", window.removeEventListener.bind(window));
  vi.stubGlobal("dispatchEvent", window.dispatchEvent.bind(window));
  vi.stubGlobal("StorageEvent", FakeStorageEvent);
});

afterEach(() => vi.unstubAllGlobals());

/** A storage that works. */
function storage() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  };
}

test("what is written is read, in the storage that is meant, until it is forgotten", () => {
  vi.stubGlobal("localStorage", storage());
  vi.stubGlobal("sessionStorage", storage());
  expect(write("colour", "blue")).toBe(true);
  expect(write("colour", "red", "sessionStorage")).toBe(true);
  expect([read("colour"), read("colour", "sessionStorage")]).toEqual(["blue", "red"]);
  expect(write("colour", null)).toBe(true);
  expect([read("colour"), read("colour", "sessionStorage")]).toEqual([null, "red"]);
});

test("where storage is forbidden nothing is there, and who writes is told that it is not kept", () => {
  Object.defineProperty(globalThis, "localStorage", {
    configurable: true,
    get: () => {
      throw new DOMException("refused", "SecurityError");
    },
  });
  try {
    expect(read("colour")).toBeNull();
    expect(write("colour", "blue")).toBe(false);
  } finally {
    Reflect.deleteProperty(globalThis, "localStorage");
  }
});

test("a change is heard from other tabs and from this one, also where all of the storage is cleared", () => {
  vi.stubGlobal("localStorage", storage());
  const heard: (string | null)[] = [];
  const stop = onStored("colour", (text) => heard.push(text));
  publish("colour", "blue");
  dispatchEvent(new StorageEvent("storage", { key: "size", newValue: "large" }));
  dispatchEvent(new StorageEvent("storage", { key: "colour", newValue: "red" }));
  dispatchEvent(new StorageEvent("storage", { key: null }));
  expect(heard).toEqual(["blue", "red", null]);
  stop();
  publish("colour", "green");
  expect(heard).toHaveLength(3);
});

test("a choice that can't be kept is heard all the same", () => {
  const heard: (string | null)[] = [];
  onStored("colour", (text) => heard.push(text));
  vi.stubGlobal("localStorage", undefined);
  publish("colour", "blue");
  expect(heard).toEqual(["blue"]);
});
