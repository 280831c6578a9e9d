import { expect, test } from "vitest";
import { decimalText, parseDecimal, parseNumber } from "./parse-number.ts";

test("a number is read as people write it", () => {
  for (const [text, number] of [
    ["250000", 250_000],
    ["250.000", 250_000],
    ["250,000", 250_000],
    ["1.250.000,50", 1_250_000.5],
    ["1 200", 1_200],
    ["3.5", 3.5],
    ["3,5", 3.5],
    ["0.400", 0.4],
  ] as const) {
    expect(parseNumber(text), text).toBe(number);
  }
});

test("in a number without thousands separators every digit after the mark is a decimal", () => {
  for (const [text, number] of [
    ["2.565", 2.565],
    ["2,565", 2.565],
    [" 3 ", 3],
  ] as const) {
    expect(parseDecimal(text), text).toBe(number);
  }
});

test("text that is not a number is rejected", () => {
  for (const text of ["", " ", "-5", "1e3", "0x10", "about 90", "1.200.5", "5.", "."]) {
    expect(parseNumber(text), text).toBeNaN();
    expect(parseDecimal(text), text).toBeNaN();
  }
});

test("a field's default is formatted in its language, and is parsed to the same number", () => {
  expect([decimalText("en", 3.5), decimalText("es", 3.5)]).toEqual(["3.5", "3,5"]);
  expect(decimalText("es", 3)).toBe("3");
  expect(parseDecimal(decimalText("es", 2.565))).toBe(2.565);
});
