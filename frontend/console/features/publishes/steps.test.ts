import { describe, expect, test } from "vitest";
import { shares, stepsOf } from "./steps.ts";

describe("the steps of a publish", () => {
  const at = (milliseconds: number) =>
    new Date(Date.UTC(2026, 10, 25, 10) + milliseconds).toISOString();
  const live = (milliseconds: number) => ({ since: null, milliseconds, addresses: [] });
  const told = { hintedAt: at(0), capturedAt: at(40), publishedAt: at(45), live: live(140) };

  test("are parts of the whole, which is measured from the hint", () => {
    const reached = { applied: at(60), indexed: at(52), purged: at(75) };
    const { steps, total } = stepsOf(told, reached);
    expect(steps).toEqual([
      { name: "captured", milliseconds: 40 },
      { name: "logged", milliseconds: 5 },
      // The index had it before the read models.
      { name: "indexed", milliseconds: 7 },
      { name: "applied", milliseconds: 8 },
      { name: "purged", milliseconds: 15 },
      { name: "shown", milliseconds: 65 },
    ]);
    expect(total).toBe(140);
    expect(shares(steps).map(({ from, width }) => [Math.round(from), Math.round(width)])).toEqual([
      [0, 29],
      [29, 4],
      [32, 5],
      [37, 6],
      [43, 11],
      [54, 46],
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
    expect(names(told, {})).toEqual(rest);
    expect(names(told, { applied: at(90_000), purged: at(90_000) })).toEqual(rest);
    expect(names({ ...told, publishedAt: null }, { applied: at(60) })).toEqual([
      ["captured", 40],
      ["applied", 20],
      ["shown", 80],
    ]);
    // It is not seen yet: a position may be of a stream that was filled anew.
    expect(names({ ...told, live: null }, { applied: at(60) })).toEqual(rest.slice(0, 2));
    expect(stepsOf({ ...told, hintedAt: null }, { applied: at(60) })).toEqual({
      steps: [],
      total: 140,
    });
  });

  test("are never less than nothing, and have no shares of nothing", () => {
    const early = { hintedAt: at(40), capturedAt: at(0), publishedAt: at(0), live: live(5) };
    expect(stepsOf(early, { applied: at(0) }).steps).toEqual([{ name: "shown", milliseconds: 5 }]);
    expect(shares([{ name: "shown", milliseconds: 0 }])).toEqual([]);
  });
});
