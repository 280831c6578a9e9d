import { expect, test } from "vitest";
import { clampedIndex, initialState, keyAction, lightboxReducer, validPictures } from "./state.ts";
import { FITTED } from "./view.ts";

test("an index out of range is clamped on opening and ignored after", () => {
  expect(clampedIndex(-1, 5)).toBe(0);
  expect(clampedIndex(7, 5)).toBe(4);
  expect(clampedIndex(Number.NaN, 5)).toBe(0);
  expect(clampedIndex(3, 0)).toBe(0);
  const state = initialState(4, 5);
  for (const to of [5, -1, 1.5, Number.NaN]) {
    expect(lightboxReducer(state, { type: "go", to }).index).toBe(4);
  }
  expect(lightboxReducer(state, { type: "go", to: 2 }).index).toBe(2);
});

test("another picture starts fitted; one that can't be reached springs back", () => {
  const zoomed = { ...initialState(0, 2), view: { scale: 3, x: 9, y: 9 }, pull: 30 };
  expect(lightboxReducer(zoomed, { type: "go", to: 1 })).toMatchObject({ view: FITTED, pull: 0 });
  expect(lightboxReducer(zoomed, { type: "go", to: 2 })).toMatchObject({ index: 0, pull: 0 });
});

test("the outcome of each picture is stored", () => {
  const state = lightboxReducer(initialState(0, 3), {
    type: "outcome",
    index: 1,
    outcome: "broken",
  });
  expect(state.outcomes).toEqual({ 1: "broken" });
});

test("pictures without a file or a size are skipped", () => {
  const good = { file: "a", version: "1", width: 4, height: 3, alt: "" };
  expect(validPictures([good, { ...good, file: "" }, { ...good, width: 0 }])).toEqual([good]);
  expect(validPictures([])).toEqual([]);
});

test("keys go to pictures, zoom, fit and pan", () => {
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
