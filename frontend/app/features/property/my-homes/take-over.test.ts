import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { PropertyCard } from "#app/lib/api/types.ts";
import { byReference } from "./use-cards.ts";

let kept: string | null;

beforeEach(() => {
  kept = null;
  const page = Object.assign(new EventTarget(), { cookie: "", hidden: false });
  vi.stubGlobal("document", page);
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
  vi.stubGlobal("localStorage", {
    getItem: () => kept,
    setItem: (_: string, text: string) => {
      kept = text;
    },
    removeItem: () => {
      kept = null;
    },
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** What is kept on the device of `homes` once those in `moved` have other references. */
async function after(homes: readonly object[], moved: Record<string, string>) {
  kept = JSON.stringify(homes);
  const store = await import("#app/lib/my-homes/store.ts");
  store.onMyHomes(() => undefined);
  const { takeOver } = await import("./take-over.ts");
  await takeOver(moved);
  return [...store.myHomes().values()].map(({ changedAt, seenAt, ...home }) => home);
}

const home = (reference: string, made: object = {}) => ({
  reference,
  favourite: false,
  note: null,
  hidden: false,
  compared: false,
  ...made,
});

test("what was made of a home goes on under its new reference, and others stay", async () => {
  const other = home("AH-2", { favourite: true });
  const liked = home("AH-1", { favourite: true, note: "Patio" });
  expect(await after([liked, other], { "AH-1": "AH-9", "AH-7": "AH-8" })).toEqual([
    home("AH-9", { favourite: true, note: "Patio" }),
    other,
  ]);
});

test("what was said of it under both is kept", async () => {
  const before = home("AH-1", { hidden: true, note: "Patio" });
  const since = home("AH-9", { favourite: true, note: "North" });
  expect(await after([before, since], { "AH-1": "AH-9" })).toEqual([
    home("AH-9", { favourite: true, hidden: true, note: "North\nPatio" }),
  ]);
});

test("one of four that are compared goes on being compared", async () => {
  const compared = ["AH-1", "AH-2", "AH-3", "AH-4"].map((each) => home(each, { compared: true }));
  const now = await after(compared, { "AH-1": "AH-9" });
  expect(now.filter((each) => each.compared).map(({ reference }) => reference)).toEqual([
    "AH-9",
    "AH-2",
    "AH-3",
    "AH-4",
  ]);
});

test("a card is found by what its home was called before", () => {
  const card = { ref: "AH-9" } as PropertyCard;
  const cards = byReference([card], { "AH-1": "AH-9", "AH-7": "AH-8" });
  expect([...cards.keys()]).toEqual(["AH-9", "AH-1"]);
});
