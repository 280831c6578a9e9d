import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { onStored, publish, read, write } from "./stored.ts";

/** A minimal `StorageEvent`. */
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

/** A working storage. */
function storage() {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, text: string) => void items.set(key, text),
    removeItem: (key: string) => void items.delete(key),
  };
}

test("what is written can be read from the same storage until it is removed", () => {
  vi.stubGlobal("localStorage", storage());
  vi.stubGlobal("sessionStorage", storage());
  expect(write("colour", "blue")).toBe(true);
  expect(write("colour", "red", "sessionStorage")).toBe(true);
  expect([read("colour"), read("colour", "sessionStorage")]).toEqual(["blue", "red"]);
  expect(write("colour", null)).toBe(true);
  expect([read("colour"), read("colour", "sessionStorage")]).toEqual([null, "red"]);
});

test("if storage is forbidden nothing is read, and writing returns false", () => {
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

test("changes in other tabs and in this one are reported, also if the complete storage is cleared", () => {
  vi.stubGlobal("localStorage", storage());
  const received: (string | null)[] = [];
  const stop = onStored("colour", (text) => received.push(text));
  publish("colour", "blue");
  dispatchEvent(new StorageEvent("storage", { key: "size", newValue: "large" }));
  dispatchEvent(new StorageEvent("storage", { key: "colour", newValue: "red" }));
  dispatchEvent(new StorageEvent("storage", { key: null }));
  expect(received).toEqual(["blue", "red", null]);
  stop();
  publish("colour", "green");
  expect(received).toHaveLength(3);
});

test("a value that can't be stored is reported all the same", () => {
  const received: (string | null)[] = [];
  onStored("colour", (text) => received.push(text));
  vi.stubGlobal("localStorage", undefined);
  publish("colour", "blue");
  expect(received).toEqual(["blue"]);
});
