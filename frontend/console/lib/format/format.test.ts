import { expect, test } from "vitest";
import { formatBytes } from "./bytes.ts";
import { formatDuration } from "./duration.ts";
import { formatMoment } from "./moment.ts";
import { formatPosition } from "./position.ts";
import { asLines, showJson, showValue } from "./value.ts";

const plain = (text: string) => text.replaceAll("\u00a0", " ");

test.each([
  [-5, "0 ms"],
  [0, "0 ms"],
  [38.4, "38 ms"],
  [999.6, "1 s"],
  [3_420, "3.4 s"],
  [9_960, "10 s"],
  [59_600, "1 min"],
  [90_000, "1 min 30 s"],
  [11 * 60_000 + 5_000, "11 min"],
  [7_800_000, "2 h 10 min"],
  [100 * 3_600_000, "4 d 4 h"],
])("%i milliseconds are %s", (milliseconds, words) => {
  expect(plain(formatDuration("en", milliseconds))).toBe(words);
});

test("a duration has its language's decimal separator", () => {
  expect(plain(formatDuration("es", 3_420))).toBe("3,4 s");
});

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [1_250, "1.3 kB"],
  [18_900_000, "19 MB"],
  [3_120_000_000, "3.1 GB"],
  [9e15, "9,000 TB"],
])("%i bytes are %s", (bytes, words) => {
  expect(plain(formatBytes("en", bytes))).toBe(words);
});

test("a time of today has seconds, a time of another day has the date", () => {
  const now = new Date(2026, 10, 25, 14, 10).getTime();
  const at = (...parts: [number, number, number, number, number, number]) =>
    new Date(...parts).toISOString();
  expect(formatMoment("en", at(2026, 10, 25, 14, 3, 21), now)).toBe("14:03:21");
  expect(formatMoment("en", at(2026, 10, 24, 14, 3, 21), now)).toBe("24 Nov, 14:03");
  expect(formatMoment("es", at(2026, 10, 24, 14, 3, 21), now)).toBe("24 nov, 14:03");
  expect(formatMoment("en", "yesterday", now)).toBe("yesterday");
});

test("a position is its epoch and its message", () => {
  expect(formatPosition(517)).toBe("517");
  expect(formatPosition(28_345_123 * 2 ** 22 + 517)).toBe("28345123/517");
});

test("text is shown without quotes, other values as JSON, and long values are cut", () => {
  expect(showValue("Nerja")).toBe("Nerja");
  expect(showValue({ a: [1] })).toBe('{"a":[1]}');
  expect(showValue("x".repeat(500))).toHaveLength(201);
  expect(showJson('"Nerja"')).toBe("Nerja");
  expect(showJson("485000")).toBe("485000");
  expect(showJson('"cut off')).toBe('"cut off');
});

test("nested details become lines, up to the maximum", () => {
  const details = { lag: 3, log: { epoch: 7, ends: [1, 2] }, why: null };
  expect(asLines(details, 10)).toEqual([
    ["lag", "3"],
    ["log.epoch", "7"],
    ["log.ends", "[1,2]"],
    ["why", "null"],
  ]);
  expect(asLines(details, 2)).toHaveLength(2);
});
