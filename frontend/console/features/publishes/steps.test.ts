import { describe, expect, test } from "vitest";
import { shares, stepsOf } from "./steps.ts";

describe("the steps of a publish", () => {
  const hintedAt = "2026-11-25T10:00:00.000Z";
  const capturedAt = "2026-11-25T10:00:00.040Z";

  test("are parts of the whole, which is measured from the hint", () => {
    const live = { since: null, milliseconds: 140, addresses: [] };
    const steps = stepsOf({ hintedAt, capturedAt, live });
    expect(steps).toEqual({ toCapture: 40, toLive: 100, total: 140 });
    expect(shares(steps)).toEqual([29, 71]);
  });

  test("are nothing where nothing was measured, and never less", () => {
    expect(stepsOf({ hintedAt: null, capturedAt, live: null })).toEqual({
      toCapture: null,
      toLive: null,
      total: null,
    });
    const early = stepsOf({
      hintedAt: capturedAt,
      capturedAt: hintedAt,
      live: { since: null, milliseconds: 5, addresses: [] },
    });
    expect(early).toEqual({ toCapture: 0, toLive: 5, total: 5 });
    expect(shares({ toCapture: 0, toLive: 0, total: 0 })).toBeNull();
  });
});
