import { readFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";

const { TZ } = process.env;

/** The visitor sits in New York, six hours behind the homes. */
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

test("since when there is no connection is said by the visitor's own clock", async () => {
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

test("when a page was kept is said by the clock of the device that kept it", () => {
  const worker = createContext({ self: { addEventListener: () => undefined } });
  runInContext(readFileSync(new URL("../../../public/sw.js", import.meta.url), "utf8"), worker);
  const note = (language: string) =>
    runInContext(`note(new Date("${MOMENT}"), TEXTS.${language})`, worker);
  expect(note("en")).toContain("as it was on 30 November 2026 at 09:04:");
  expect(note("es")).toContain("estaba el 30 de noviembre de 2026 a las 9:04:");
});
