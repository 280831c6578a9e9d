import { expect, test } from "vitest";
import { keyAction, lightboxReducer, opened, openingIndex, validPictures } from "./state.ts";
import { FITTED } from "./view.ts";

test("an index out of range is clamped on opening and ignored after", () => {
  expect(openingIndex(-1, 5)).toBe(0);
  expect(openingIndex(7, 5)).toBe(4);
  expect(openingIndex(Number.NaN, 5)).toBe(0);
  expect(openingIndex(3, 0)).toBe(0);
  const state = opened(4, 5);
  for (const to of [5, -1, 1.5, Number.NaN]) {
    expect(lightboxReducer(state, { type: "go", to }).index).toBe(4);
  }
  expect(lightboxReducer(state, { type: "go", to: 2 }).index).toBe(2);
});

test("another picture starts fitted; one that can't be reached springs back", () => {
  const zoomed = { ...opened(0, 2), view: { scale: 3, x: 9, y: 9 }, pull: 30 };
  expect(lightboxReducer(zoomed, { type: "go", to: 1 })).toMatchObject({ view: FITTED, pull: 0 });
  expect(lightboxReducer(zoomed, { type: "go", to: 2 })).toMatchObject({ index: 0, pull: 0 });
});

test("what came of each picture is kept", () => {
  const state = lightboxReducer(opened(0, 3), { type: "outcome", index: 1, outcome: "broken" });
  expect(state.outcomes).toEqual({ 1: "broken" });
});

test("pictures without a file or a size are left out", () => {
  const good = { file: "a", version: "1", width: 4, height: 3, alt: "" };
  expect(validPictures([good, { ...good, file: "" }, { ...good, width: 0 }])).toEqual([good]);
  expect(validPictures([])).toEqual([]);
});

test("the keys", () => {
  const fitted = { index: 2, count: 5, view: FITTED };
  expect(keyAction("ArrowLeft", fitted)).toEqual({ type: "go", to: 1 });
  expect(keyAction("ArrowRight", fitted)).toEqual({ type: "go", to: 3 });
  expect(keyAction("ArrowUp", fitted)).toBeUndefined();
  expect(keyAction("Home", fitted)).toEqual({ type: "go", to: 0 });
  expect(keyAction("End", fitted)).toEqual({ type: "go", to: 4 });
  expect(keyAction("+", fitted)).toEqual({ type: "zoom", direction: 1 });
  expect(keyAction("-", fitted)).toEqual({ type: "zoom", direction: -1 });
  expect(keyAction("0", fitted)).toEqual({ type: "fit" });
  expect(keyAction("a", fitted)).toBeUndefined();
  const enlarged = { ...fitted, view: { scale: 2, x: 0, y: 0 } };
  expect(keyAction("ArrowRight", enlarged)).toMatchObject({ type: "pan", x: -80 });
  expect(keyAction("PageDown", enlarged)).toEqual({ type: "go", to: 3 });
});
