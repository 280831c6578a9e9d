import { expect, test } from "vitest";
import { PADDING, roomAround } from "./bounds.ts";

const COAST = { west: -4.1, south: 36.72, east: -3.85, north: 36.85 };
const map = (clientWidth: number, clientHeight: number) => ({ clientWidth, clientHeight });

test("what a telephone's map has to spare is above the homes, where the hills are", () => {
  const { top, bottom, left, right } = roomAround(COAST, map(390, 700));
  expect([bottom, left, right]).toEqual([PADDING, PADDING, PADDING]);
  expect(top).toBeGreaterThan(200);
  // The homes still have all the width that they had.
  expect(top + bottom).toBeLessThan(700 - 180);
});

test("a wide map, whose height is what binds, has the same room all around", () => {
  const { top, bottom } = roomAround(COAST, map(1200, 400));
  expect(top).toBeCloseTo(bottom, 6);
});
