import { describe, expect, test } from "vitest";
import { shares, stepsOf } from "./steps.ts";

describe("the steps of a publish", () => {
  const at = (milliseconds: number) =>
    new Date(Date.UTC(2026, 10, 25, 10) + milliseconds).toISOString();
  const live = (milliseconds: number) => ({ since: null, milliseconds, addresses: [] });
  const hinted = { hintedAt: at(0), capturedAt: at(40), publishedAt: at(45), live: live(140) };

  test("add up to the total, which is measured from the hint", () => {
    const reached = { applied: at(60), indexed: at(52), purged: at(75) };
    const { steps, total } = stepsOf(hinted, reached);
    expect(steps).toEqual([
      { name: "captured", milliseconds: 40 },
      { name: "logged", milliseconds: 5 },
      // The index was ready before the read models.
      { name: "indexed", milliseconds: 7 },
      { name: "applied", milliseconds: 8 },
      { name: "purged", milliseconds: 15 },
      { name: "rendered", milliseconds: 65 },
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

  test("omit what was not measured, and what belongs to another publish", () => {
    const names = (...args: Parameters<typeof stepsOf>) =>
      stepsOf(...args).steps.map(({ name, milliseconds }) => [name, milliseconds]);
    const rest = [
      ["captured", 40],
      ["logged", 5],
      ["rendered", 95],
    ];
    expect(names(hinted, {})).toEqual(rest);
    expect(names(hinted, { applied: at(90_000), purged: at(90_000) })).toEqual(rest);
    expect(names({ ...hinted, publishedAt: null }, { applied: at(60) })).toEqual([
      ["captured", 40],
      ["applied", 20],
      ["rendered", 80],
    ]);
    // The site does not show it yet: the position may belong to a stream that was rebuilt.
    expect(names({ ...hinted, live: null }, { applied: at(60) })).toEqual(rest.slice(0, 2));
    expect(stepsOf({ ...hinted, hintedAt: null }, { applied: at(60) })).toEqual({
      steps: [],
      total: 140,
    });
  });

  test("are never negative, and have no shares if the total is zero", () => {
    const early = { hintedAt: at(40), capturedAt: at(0), publishedAt: at(0), live: live(5) };
    expect(stepsOf(early, { applied: at(0) }).steps).toEqual([
      { name: "rendered", milliseconds: 5 },
    ]);
    expect(shares([{ name: "rendered", milliseconds: 0 }])).toEqual([]);
  });
});
