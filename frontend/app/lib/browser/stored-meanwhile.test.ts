import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { onStored } from "./stored.ts";
import { tellStoredMeanwhile } from "./stored-meanwhile.ts";

beforeEach(() => {
  const window = new EventTarget();
  vi.stubGlobal("addEventListener", window.addEventListener.bind(window));
  vi.stubGlobal("removeEventListener", window.removeEventListener.bind(window));
  vi.stubGlobal("dispatchEvent", window.dispatchEvent.bind(window));
  vi.stubGlobal(
    "StorageEvent",
    class extends Event {
      constructor(type: string, told: StorageEventInit) {
        super(type);
        Object.assign(this, told);
      }
    },
  );
});

afterEach(() => vi.unstubAllGlobals());

const leave = () => dispatchEvent(new Event("pagehide"));
const show = (persisted: boolean) =>
  dispatchEvent(Object.assign(new Event("pageshow"), { persisted }));

test("a page that a step back brings as it was left hears what was stored, changed and forgotten meanwhile", () => {
  const device: Record<string, string> = { units: "both", theme: "light", "my-homes": "[]" };
  vi.stubGlobal("localStorage", device);
  const heard: [string, string | null][] = [];
  for (const key of ["units", "theme", "my-homes", "new"]) {
    onStored(key, (text) => heard.push([key, text]));
  }
  const stop = tellStoredMeanwhile();
  device.theme = "system";
  show(false);
  leave();
  show(true);
  expect(heard).toEqual([]);
  leave();
  device.theme = "dark";
  device.new = "";
  delete device.units;
  show(true);
  expect(heard.sort()).toEqual([
    ["new", ""],
    ["theme", "dark"],
    ["units", null],
  ]);
  stop();
  leave();
  device.theme = "light";
  show(true);
  expect(heard).toHaveLength(3);
});

test("where storage is forbidden nothing is told, so what was chosen stays", () => {
  Object.defineProperty(globalThis, "localStorage", {
    configurable: true,
    get: () => {
      throw new DOMException("refused", "SecurityError");
    },
  });
  try {
    const heard = vi.fn();
    onStored("theme", heard);
    tellStoredMeanwhile();
    leave();
    show(true);
    expect(heard).not.toHaveBeenCalled();
  } finally {
    Reflect.deleteProperty(globalThis, "localStorage");
  }
});
