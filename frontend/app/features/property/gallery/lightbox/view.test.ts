import { describe, expect, test } from "vitest";
import {
  FITTED,
  type Frame,
  fittedSize,
  isWheelStep,
  LIMITS,
  maxZoom,
  naturalScale,
  pan,
  pinchZoom,
  stepZoom,
  swipeDirection,
  toggleZoom,
} from "./view.ts";

/** A picture three times as wide as the stage. */
const frame: Frame = {
  natural: { width: 1500, height: 900 },
  stage: { width: 500, height: 500 },
};
const small: Frame = { natural: { width: 200, height: 100 }, stage: frame.stage };

test("a picture fits the stage and is never enlarged by itself", () => {
  expect(fittedSize(frame)).toEqual({ width: 500, height: 300 });
  expect(fittedSize(small)).toEqual({ width: 200, height: 100 });
  expect(naturalScale(frame)).toBe(3);
  expect(naturalScale(small)).toBe(1);
});

describe("zoom", () => {
  test("changes in steps of 0.12", () => {
    expect(stepZoom(FITTED, 1, frame).scale).toBeCloseTo(1.12);
    expect(stepZoom(FITTED, -1, frame).scale).toBeCloseTo(0.88);
  });

  test("ends at three times the natural size and at a tenth of the fitted one", () => {
    let view = FITTED;
    for (let step = 0; step < 200; step++) view = stepZoom(view, 1, frame);
    expect(view.scale).toBe(9);
    expect(maxZoom(small)).toBe(3);
    for (let step = 0; step < 200; step++) view = stepZoom(view, -1, frame);
    expect(view.scale).toBe(0.1);
  });

  test("keeps what is under the pointer where it is", () => {
    const start = { scale: 4, x: 10, y: 20 };
    const at = { x: 60, y: -40 };
    const view = stepZoom(start, 1, frame, at);
    expect((at.x - view.x) / view.scale).toBeCloseTo((at.x - start.x) / start.scale);
    expect((at.y - view.y) / view.scale).toBeCloseTo((at.y - start.y) / start.scale);
  });

  test("toggles between fitted and natural, and enlarges a small picture too", () => {
    const natural = toggleZoom(FITTED, frame, { x: 0, y: 0 });
    expect(natural.scale).toBe(3);
    expect(toggleZoom(natural, frame, { x: 0, y: 0 })).toEqual(FITTED);
    expect(toggleZoom(FITTED, small, { x: 0, y: 0 }).scale).toBe(2);
  });
});

test("pinching stays between half the fitted and one and a half times the natural size", () => {
  const middle = { x: 0, y: 0 };
  expect(pinchZoom(FITTED, 2, frame, middle).scale).toBe(2);
  expect(pinchZoom(FITTED, 100, frame, middle).scale).toBe(4.5);
  expect(pinchZoom(FITTED, 0.01, frame, middle).scale).toBe(0.5);
  expect(pinchZoom(FITTED, 100, small, middle).scale).toBe(1.5);
  // A scale that the wheel set beyond these limits stays.
  const beyond = { scale: 9, x: 0, y: 0 };
  expect(pinchZoom(beyond, 1, frame, middle)).toEqual(beyond);
  expect(pinchZoom(beyond, 2, frame, middle).scale).toBe(9);
  expect(pinchZoom({ ...beyond, scale: 0.1 }, 0.9, frame, middle).scale).toBe(0.1);
});

test("a picture is dragged no further than its edge", () => {
  const zoomed = { scale: 3, x: 0, y: 0 };
  expect(pan(zoomed, { x: 9_999, y: -9_999 }, frame)).toEqual({ scale: 3, x: 500, y: -200 });
  expect(pan(FITTED, { x: 40, y: 40 }, frame)).toEqual({ scale: 1, x: 0, y: 0 });
});

test("a swipe is longer than 50 pixels and more across than along", () => {
  expect(LIMITS.swipeTolerance).toBe(50);
  expect(swipeDirection({ x: 50, y: 0 })).toBe(0);
  expect(swipeDirection({ x: -51, y: 10 })).toBe(1);
  expect(swipeDirection({ x: 51, y: -10 })).toBe(-1);
  expect(swipeDirection({ x: 60, y: 80 })).toBe(0);
});

test("wheel events within 80 ms are one step", () => {
  expect(isWheelStep(1_000, 1_079)).toBe(false);
  expect(isWheelStep(1_000, 1_080)).toBe(true);
});
