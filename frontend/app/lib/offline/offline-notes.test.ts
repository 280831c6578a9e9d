import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { storedNote } from "#app/service-worker/offline-page.ts";

const { TZ } = process.env;

/** The visitor is in New York, six hours behind the homes. */
beforeAll(() => {
  process.env.TZ = "America/New_York";
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

afterAll(() => {
  if (TZ === undefined) delete process.env.TZ;
  else process.env.TZ = TZ;
});

const MOMENT = "2026-11-30T14:04:00Z";

test("the time since when the page is offline is in the visitor's time zone", async () => {
  vi.useFakeTimers({ now: new Date(MOMENT) });
  const said: { textContent?: string }[] = [];
  vi.stubGlobal("addEventListener", () => undefined);
  vi.stubGlobal("location", { pathname: "/" });
  vi.stubGlobal("navigator", { onLine: false });
  vi.stubGlobal("document", {
    getElementById: () => null,
    createElement: () => ({ setAttribute: () => undefined }),
    body: { append: (note: object) => said.push(note) },
  });
  const { startOffline } = await import("./service-worker.ts");
  await startOffline();
  expect(said.map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining("since 09:04"),
  ]);
});

test("the time at which a page was cached is in the device's time zone", () => {
  const at = new Date(MOMENT);
  expect(storedNote(at, "en")).toContain("as it was on 30 November 2026 at 09:04:");
  expect(storedNote(at, "es")).toContain("estaba el 30 de noviembre de 2026 a las 9:04:");
});

test("a list that follows a list is not cached: its place was chosen among the filters", async () => {
  const reported: unknown[] = [];
  const active = { postMessage: ({ page }: { page: string }) => reported.push(page) };
  vi.stubGlobal("addEventListener", () => undefined);
  vi.stubGlobal("location", { origin: "https://almijara.example" });
  vi.stubGlobal("navigator", {
    onLine: true,
    serviceWorker: { register: async () => undefined, ready: Promise.resolve({ active }) },
  });
  vi.resetModules();
  const { keepPage } = await import("./service-worker.ts");
  const home = "/es/property-for-sale/nerja/AH-1";
  for (const address of [
    "/es/property-for-sale",
    "/es/property-for-sale?propertyType=House",
    "/es/property-for-sale/nerja",
    home,
    "/es/property-for-sale/nerja",
  ]) {
    await keepPage(address, []);
  }
  expect(reported).toEqual(["/es/property-for-sale", home, "/es/property-for-sale/nerja"]);
});
