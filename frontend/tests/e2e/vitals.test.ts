import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { anyProperty, ask, changedByOthers, openWhole, painted, visitor } from "./site.ts";

interface Beacon {
  address: string;
  type: string;
  body: string;
}

/**
 * Records the beacons that the visitor's pages send when they are left. Playwright sees neither the requests
 * of a closing page nor the content of a Blob, so the page stores them for the next one.
 */
async function recordBeacons(page: Page): Promise<void> {
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

/** Opens a page and waits until it measures, which starts when the browser is idle. */
async function look(page: Page, address: string): Promise<void> {
  // The change stream and the measuring start together.
  await openWhole(page, address);
  // Earlier paints are reported to observers in the next frame.
  await painted(page);
}

/** Opens another document, and returns the beacons of the previous one. */
async function leave(page: Page): Promise<Beacon[]> {
  await page.goto("/cookies");
  return page.evaluate(() => JSON.parse(sessionStorage.getItem("told") ?? "[]"));
}

test("a page that is left reports its load time once, and nothing about the visitor", async () => {
  const { path } = await anyProperty();
  for (const [address, kind, viewport] of [
    ["/es", "home", { width: 390, height: 844 }],
    [path, "property", { width: 1280, height: 900 }],
  ] as const) {
    const page = await visitor({ viewport });
    await recordBeacons(page);
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
    // The door accepts the report.
    const headers = { "content-type": "application/json" };
    expect((await ask("/api/vitals", { method: "POST", headers, body })).status).toBe(204);
  }
});

test("the delay between a press and its paint is reported with the rest", async () => {
  const page = await visitor();
  await recordBeacons(page);
  const { path } = await anyProperty();
  await look(page, path);
  // The page is busy long enough to be measured by any browser.
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
  // The browser reports a press after its effect is painted.
  await measured;
  const [told] = await leave(page);
  expect(JSON.parse(told?.body ?? "{}").inp).toBeGreaterThan(100);
});

test("parts that React renders again are reported with the rest", async () => {
  const page = await visitor();
  changedByOthers.add(page);
  await recordBeacons(page);
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

test("a visitor whose browser opts out is not counted", async () => {
  const page = await visitor();
  await recordBeacons(page);
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, "globalPrivacyControl", { get: () => true });
  });
  await look(page, "/");
  expect(await leave(page)).toEqual([]);
});
