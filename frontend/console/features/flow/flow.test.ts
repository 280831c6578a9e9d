import { describe, expect, test } from "vitest";
import type { FlowStep, RoleState } from "#console/lib/api/types.ts";
import { barsPath, countsOf } from "./sparkline.ts";
import { notReady, overallTone, unhealthySteps } from "./summary.ts";

const step = (name: FlowStep["step"], state: FlowStep["state"]): FlowStep => ({
  step: name,
  state,
  ratePerMinute: 0,
  lag: 0,
  ageSeconds: 0,
  why: null,
});
const role = (ready: boolean, reachable = true): RoleState => ({
  role: "query",
  instance: "a",
  ready,
  reachable,
  failing: {},
  details: {},
});

describe("the flow", () => {
  test("lists the steps that are not well, the worst first", () => {
    const flow = [step("hint", "well"), step("capture", "paused"), step("index", "stopped")];
    expect(unhealthySteps(flow).map((each) => each.step)).toEqual(["index", "capture"]);
  });

  test("has the tone of its worst part", () => {
    const well = [step("hint", "well")];
    expect(overallTone({ flow: well, roles: [role(true)] })).toBe("well");
    expect(overallTone({ flow: [step("hint", "slow")], roles: [] })).toBe("warning");
    expect(overallTone({ flow: [step("hint", "paused")], roles: [] })).toBe("resting");
    expect(overallTone({ flow: well, roles: [role(false)] })).toBe("wrong");
    expect(overallTone({ flow: [], roles: [] })).toBe("unknown");
    expect(notReady([role(true), role(true, false)])).toHaveLength(1);
  });

  test("is counted in bars of a quarter of a minute, up to the last known moment", () => {
    const at = (seconds: number) => new Date(1_764_000_000_000 + seconds * 1_000).toISOString();
    const history = [
      { at: at(-1_000), published: 50, rendered: 0 },
      { at: at(-100), published: 2, rendered: 0 },
      { at: at(-20), published: 3, rendered: 0 },
      { at: at(0), published: 1, rendered: 9 },
    ];
    const { bars, lastMinute, all } = countsOf(history, "published");
    expect([lastMinute, all]).toEqual([4, 6]);
    expect(bars.slice(-2)).toEqual([3, 1]);
    expect(bars.at(-7)).toBe(2);
    expect(countsOf([], "published").all).toBe(0);
  });

  test("draws no bar for zero, and a visible bar for a small count", () => {
    expect(barsPath([0, 0], 100, 50)).toBe("");
    expect(barsPath([1, 1_000], 100, 50)).toBe("M7.5 50v-3h35v3zM57.5 50v-50h35v50z");
  });
});
