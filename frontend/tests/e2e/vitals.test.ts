import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { anyProperty, ask, changedByOthers, openWhole, painted, visitor } from "./site.ts";

interface Told {
  address: string;
  type: string;
  body: string;
}

/**
 * Notes what this visitor's pages tell as they are left. Playwright does not see what a page sends that
 * goes away, nor what is in a Blob, so the page notes it for the one that comes after it.
 */
async function noteBeacons(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const parts = new WeakMap<Blob, BlobPart[]>();
    window.Blob = class extends Blob {
      constructor(content: BlobPart[] = [], options?: BlobPropertyBag) {
        super(content, options);
        parts.set(this, content);
      }
    };
    const send = navigator.sendBeacon.bind(navigator);
    navigator.sendBeacon = (address, data) => {
      const blob = data as Blob;
      const told = JSON.parse(sessionStorage.getItem("told") ?? "[]");
      told.push({ address: String(address), type: blob.type, body: parts.get(blob)?.join("") });
      sessionStorage.setItem("told", JSON.stringify(told));
      return send(address, data);
    };
  });
}

/** Opens a page and waits until it measures, which comes when the browser has nothing better to do. */
async function look(page: Page, address: string): Promise<void> {
  // What follows changes starts together with what measures.
  await openWhole(page, address);
  // What was painted before is told to who listens in the next frame.
  await painted(page);
}

/** Goes on to another document, and says what the one before told. */
async function leave(page: Page): Promise<Told[]> {
  await page.goto("/cookies");
  return page.evaluate(() => JSON.parse(sessionStorage.getItem("told") ?? "[]"));
}

test("a page that is left tells once how quickly it appeared, and nothing of whose visit it was", async () => {
  const { path } = await anyProperty();
  for (const [address, kind, viewport] of [
    ["/es", "home", { width: 390, height: 844 }],
    [path, "property", { width: 1280, height: 900 }],
  ] as const) {
    const page = await visitor({ viewport });
    await noteBeacons(page);
    await look(page, address);
    const told = await leave(page);
    expect(told).toHaveLength(1);
    expect(told[0]).toMatchObject({ address: "/api/vitals", type: "application/json" });
    const body = told[0]?.body ?? "";
    const report = JSON.parse(body);
    expect(report).toMatchObject({ page: kind, phone: viewport.width < 640 });
    expect(report.lcp).toBeGreaterThan(0);
    expect(report.cls).toBeGreaterThanOrEqual(0);
    const known = ["page", "phone", "lcp", "inp", "cls", "renderedAnew"];
    expect(Object.keys(report).filter((name) => !known.includes(name))).toEqual([]);
    // The door takes what the page tells.
    const headers = { "content-type": "application/json" };
    expect((await ask("/api/vitals", { method: "POST", headers, body })).status).toBe(204);
  }
});

test("how long a press waited for what it changes is told with the rest", async () => {
  const page = await visitor();
  await noteBeacons(page);
  const { path } = await anyProperty();
  await look(page, path);
  // The page is busy for so long that no browser takes it for nothing.
  await page.evaluate(() =>
    addEventListener("click", () => {
      const end = performance.now() + 150;
      while (performance.now() < end);
    }),
  );
  const measured = page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const clicked = (list: PerformanceObserverEntryList) => {
          if (list.getEntries().some(({ name }) => name === "click")) resolve();
        };
        new PerformanceObserver(clicked).observe({ type: "event", buffered: true });
      }),
  );
  await page.getByRole("button", { name: "Share" }).click();
  await page.locator("#share").waitFor();
  // The browser tells of a press after what it changed is painted.
  await measured;
  const [told] = await leave(page);
  expect(JSON.parse(told?.body ?? "{}").inp).toBeGreaterThan(100);
});

test("what React renders anew is told with the rest", async () => {
  const page = await visitor();
  changedByOthers.add(page);
  await noteBeacons(page);
  await page.addInitScript(() =>
    addEventListener("DOMContentLoaded", () => {
      const link = document.querySelector("header nav a, header button");
      if (link) link.textContent = "Another";
    }),
  );
  await look(page, "/");
  const [told] = await leave(page);
  expect(JSON.parse(told?.body ?? "{}").renderedAnew).toBeGreaterThan(0);
});

test("whose browser says no is not counted", async () => {
  const page = await visitor();
  await noteBeacons(page);
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, "globalPrivacyControl", { get: () => true });
  });
  await look(page, "/");
  expect(await leave(page)).toEqual([]);
});
