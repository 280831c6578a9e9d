import { describe, expect, test } from "vitest";
import { shares, stepsOf } from "./steps.ts";

describe("the steps of a publish", () => {
  const at = (milliseconds: number) =>
    new Date(Date.UTC(2026, 10, 25, 10) + milliseconds).toISOString();
  const live = (milliseconds: number) => ({ since: null, milliseconds, addresses: [] });
  const told = { hintedAt: at(0), capturedAt: at(40), publishedAt: at(45), live: live(140) };

  test("are parts of the whole, which is measured from the hint", () => {
    const { steps, total } = stepsOf(told, at(60));
    expect(steps).toEqual([
      { name: "captured", milliseconds: 40 },
      { name: "logged", milliseconds: 5 },
      { name: "applied", milliseconds: 15 },
      { name: "shown", milliseconds: 80 },
    ]);
    expect(total).toBe(140);
    expect(shares(steps).map(({ from, width }) => [Math.round(from), Math.round(width)])).toEqual([
      [0, 29],
      [29, 4],
      [32, 11],
      [43, 57],
    ]);
  });

  test("leave out what was not measured, and what is of another time that it was published", () => {
    const names = (...args: Parameters<typeof stepsOf>) =>
      stepsOf(...args).steps.map(({ name, milliseconds }) => [name, milliseconds]);
    const rest = [
      ["captured", 40],
      ["logged", 5],
      ["shown", 95],
    ];
    expect(names(told, undefined)).toEqual(rest);
    expect(names(told, at(90_000))).toEqual(rest);
    expect(names({ ...told, publishedAt: null }, at(60))).toEqual([
      ["captured", 40],
      ["applied", 20],
      ["shown", 80],
    ]);
    // It is not seen yet: a position may be of a stream that was filled anew.
    expect(names({ ...told, live: null }, at(60))).toEqual(rest.slice(0, 2));
    expect(stepsOf({ ...told, hintedAt: null }, at(60))).toEqual({ steps: [], total: 140 });
  });

  test("are never less than nothing, and have no shares of nothing", () => {
    const early = { hintedAt: at(40), capturedAt: at(0), publishedAt: at(0), live: live(5) };
    expect(stepsOf(early, at(0)).steps).toEqual([{ name: "shown", milliseconds: 5 }]);
    expect(shares([{ name: "shown", milliseconds: 0 }])).toEqual([]);
  });
});
