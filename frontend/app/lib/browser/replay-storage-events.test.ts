import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { replayStorageEvents } from "./replay-storage-events.ts";
import { onStored } from "./stored.ts";

beforeEach(() => {
  const window = new EventTarget();
  vi.stubGlobal("addEventListener", window.addEventListener.bind(window));
  vi.stubGlobal("removeEventListener", window.removeEventListener.bind(window));
  vi.stubGlobal("dispatchEvent", window.dispatchEvent.bind(window));
  vi.stubGlobal(
    "StorageEvent",
    class extends Event {
      constructor(type: string, init: StorageEventInit) {
        super(type);
        Object.assign(this, init);
      }
    },
  );
});

afterEach(() => vi.unstubAllGlobals());

const leave = () => dispatchEvent(new Event("pagehide"));
const show = (persisted: boolean) =>
  dispatchEvent(Object.assign(new Event("pageshow"), { persisted }));

test("a page that a step back restores is notified of what was stored, changed and removed in the meantime", () => {
  const device: Record<string, string> = { units: "both", theme: "light", "my-homes": "[]" };
  vi.stubGlobal("localStorage", device);
  const received: [string, string | null][] = [];
  for (const key of ["units", "theme", "my-homes", "new"]) {
    onStored(key, (text) => received.push([key, text]));
  }
  const stop = replayStorageEvents();
  device.theme = "system";
  show(false);
  leave();
  show(true);
  expect(received).toEqual([]);
  leave();
  device.theme = "dark";
  device.new = "";
  delete device.units;
  show(true);
  expect(received.sort()).toEqual([
    ["new", ""],
    ["theme", "dark"],
    ["units", null],
  ]);
  stop();
  leave();
  device.theme = "light";
  show(true);
  expect(received).toHaveLength(3);
});

test("if storage is forbidden nothing is notified, so the choice on the page stays", () => {
  Object.defineProperty(globalThis, "localStorage", {
    configurable: true,
    get: () => {
      throw new DOMException("refused", "SecurityError");
    },
  });
  try {
    const received = vi.fn();
    onStored("theme", received);
    replayStorageEvents();
    leave();
    show(true);
    expect(received).not.toHaveBeenCalled();
  } finally {
    Reflect.deleteProperty(globalThis, "localStorage");
  }
});
