import { expect, test } from "vitest";
import { LENGTHS } from "#app/lib/account/lengths.gen.ts";
import {
  limited,
  MAX_NOTE_LENGTH,
  type MyHome,
  type MyHomes,
  parseHomes,
  splitBySize,
  withChange,
  withoutSeen,
  withSeen,
} from "./my-home.ts";

const at = (minute: number) => new Date(Date.UTC(2026, 10, 1, 10, minute)).toISOString();

test("a note may be as long as in an account", () => {
  expect(MAX_NOTE_LENGTH).toBe(LENGTHS.note.max);
});

test("a change keeps omitted fields, and a home without marks is removed", () => {
  let homes: MyHomes = new Map();
  homes = withChange(homes, "AH-1", { favourite: true, note: "  Patio " }, at(1)) ?? homes;
  homes = withChange(homes, "AH-1", { seen: true }, at(2)) ?? homes;
  expect(homes.get("AH-1")).toEqual({
    reference: "AH-1",
    favourite: true,
    note: "Patio",
    hidden: false,
    compared: false,
    seenAt: at(2),
    changedAt: at(2),
  });
  homes = withChange(homes, "AH-2", { hidden: true }, at(3)) ?? homes;
  expect([...homes.keys()]).toEqual(["AH-2", "AH-1"]);
  homes = withChange(homes, "AH-2", { hidden: false }, at(4)) ?? homes;
  expect([...homes.keys()]).toEqual(["AH-1"]);
});

test("four homes can be compared, and a fifth is refused until one is removed", () => {
  let homes: MyHomes = new Map();
  for (const reference of ["AH-1", "AH-2", "AH-3", "AH-4"]) {
    homes = withChange(homes, reference, { compared: true }, at(1)) ?? homes;
  }
  expect(withChange(homes, "AH-5", { compared: true }, at(1))).toBeUndefined();
  expect(withChange(homes, "AH-4", { compared: true }, at(1))).toBeDefined();
  homes = withChange(homes, "AH-4", { compared: false }, at(1)) ?? homes;
  expect(withChange(homes, "AH-5", { compared: true }, at(1))).toBeDefined();
});

test("homes that were only seen are dropped before marked ones", () => {
  const homes = Array.from({ length: 700 }, (_, index) => ({
    reference: `AH-${index}`,
    favourite: index < 300,
    note: null,
    hidden: false,
    compared: false,
    seenAt: at(0),
    changedAt: at(index),
  }));
  const kept = [...limited(homes).values()];
  expect(kept.filter(({ favourite }) => favourite).length).toBe(300);
  expect(kept.filter(({ favourite }) => !favourite).map(({ reference }) => reference)).toEqual(
    Array.from({ length: 100 }, (_, index) => `AH-${699 - index}`),
  );
});

test("visits are removed and restored, and the marks stay", () => {
  let homes: MyHomes = new Map();
  const change = (reference: string, ...rest: [Parameters<typeof withChange>[2], string]) => {
    homes = withChange(homes, reference, ...rest) ?? homes;
  };
  change("AH-1", { seen: true }, at(1));
  change("AH-2", { seen: true }, at(2));
  change("AH-2", { favourite: true, note: "Patio" }, at(3));
  const seen = [...homes.values()];
  const seenAt = () => [...homes.values()].map((home): unknown[] => [home.reference, home.seenAt]);
  homes = withoutSeen(homes);
  expect(seenAt()).toEqual([["AH-2", null]]);
  expect(homes.get("AH-2")).toMatchObject({ favourite: true, note: "Patio", changedAt: at(3) });

  // In the meantime one is opened again, and another is no longer a favourite.
  change("AH-1", { seen: true }, at(4));
  change("AH-2", { favourite: false }, at(5));
  homes = withSeen(homes, seen);
  expect(seenAt()).toEqual([
    ["AH-2", at(2)],
    ["AH-1", at(4)],
  ]);
  expect(homes.get("AH-2")).toMatchObject({ favourite: false, note: "Patio" });
  // Only the visit is restored.
  const chosen: MyHome[] = seen.map((home) => ({ ...home, favourite: true, hidden: true }));
  expect(withSeen(new Map(), chosen).get("AH-1")).toMatchObject({
    favourite: false,
    hidden: false,
    seenAt: at(1),
  });
});

test.each([null, "", "{", "null", "7", '{"a":1}', '[null,7,"x",{"reference":"../x"},{}]'])(
  "%s holds no homes",
  (text) => {
    expect(parseHomes(text).size).toBe(0);
  },
);

test("invalid fields of a stored home are ignored", () => {
  const text = JSON.stringify([
    { reference: "AH-1", favourite: "yes", note: 7, seenAt: "yesterday", hidden: true },
  ]);
  expect(parseHomes(text).get("AH-1")).toMatchObject({
    favourite: false,
    note: null,
    seenAt: null,
    hidden: true,
  });
});

test("the parts contain all homes, and each is within the limit", () => {
  const homes = [
    ...limited(
      Array.from({ length: 50 }, (_, index) => ({
        reference: `AH-${index}`,
        favourite: true,
        note: "ñ".repeat(index * 40) || null,
        hidden: false,
        compared: false,
        seenAt: null,
        changedAt: at(index),
      })),
    ).values(),
  ];
  const parts = splitBySize(homes, 20_000);
  expect(parts.flat()).toEqual(homes);
  for (const part of parts) {
    expect(new TextEncoder().encode(JSON.stringify(part)).length).toBeLessThan(20_100);
  }
  expect(parts.length).toBeGreaterThan(3);
});
