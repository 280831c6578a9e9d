import { expect, test } from "vitest";
import { takeRenderedAnew } from "./rendered-anew.ts";
import { pageAt, refusesCounting, reportOf } from "./report.ts";

const where = { page: "home", phone: true } as const;

test.each([
  ["/", "home"],
  ["/es", "home"],
  ["/es/", "home"],
  ["/property-for-sale", "list"],
  ["/es/property-for-sale/nerja", "list"],
  ["/property-for-sale/nerja/AH-0001", "property"],
  ["/news", "other"],
  ["/es/news/a-new-road", "article"],
  ["/estepona", "other"],
  ["/privacy", "other"],
])("%s is reported as %s", (path, page) => {
  expect(pageAt(path)).toBe(page);
});

test("a report contains what was measured, and no more", () => {
  expect(reportOf(where, { lcp: 1234.56, cls: 0.012345 }, 0)).toEqual({
    page: "home",
    phone: true,
    lcp: 1235,
    cls: 0.0123,
  });
  expect(reportOf(where, { inp: 0, cls: 0 }, 3)).toEqual({
    page: "home",
    phone: true,
    inp: 0,
    cls: 0,
    renderedAnew: 3,
  });
});

test("without measurements there is no report", () => {
  expect(reportOf(where, {}, 0)).toBeUndefined();
  expect(reportOf(where, { lcp: 600_001, inp: Number.NaN, cls: -1 }, 0)).toBeUndefined();
});

test("a figure out of range does not suppress the others", () => {
  expect(reportOf(where, { lcp: 3_600_000, cls: 0.1 }, 5_000)).toEqual({
    page: "home",
    phone: true,
    cls: 0.1,
    renderedAnew: 1_000,
  });
});

test("a browser's refusal is respected", () => {
  expect(refusesCounting({ doNotTrack: "1" })).toBe(true);
  expect(refusesCounting({ doNotTrack: null, globalPrivacyControl: true })).toBe(true);
  expect(refusesCounting({ doNotTrack: "0", globalPrivacyControl: false })).toBe(false);
  expect(refusesCounting({ doNotTrack: null })).toBe(false);
});

test("parts that were rendered again are reported once", () => {
  performance.mark("rendered anew");
  performance.mark("rendered anew");
  performance.mark("another");
  expect(takeRenderedAnew()).toBe(2);
  expect(takeRenderedAnew()).toBe(0);
});
