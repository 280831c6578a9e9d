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

test("notes that are too long together stay as they are, and so does all else", async () => {
  const homes = [
    home("AH-1", { favourite: true, note: "a".repeat(1_500) }),
    home("AH-9", { favourite: true, note: "b".repeat(1_500) }),
  ];
  expect(await after(homes, { "AH-1": "AH-9" })).toEqual(homes);
});

test("what was joined before is not joined again", async () => {
  const before = home("AH-1", { favourite: true, note: "Patio" });
  const since = home("AH-9", { favourite: true, note: "North\nPatio" });
  expect(await after([before, since], { "AH-1": "AH-9" })).toEqual([since]);
});

test("a note that is being written is written on under the new reference", async () => {
  const { draftOf, writeDraft } = await import("./drafts.ts");
  writeDraft("AH-1", "Patio, lift");
  const homes = [
    home("AH-1", { favourite: true, note: "Patio" }),
    home("AH-9", { favourite: true, note: "North" }),
  ];
  await after(homes, { "AH-1": "AH-9" });
  expect([draftOf("AH-1"), draftOf("AH-9")]).toEqual([undefined, "North\nPatio, lift"]);
});

test("whose session has ended is told so, and has it on the device under the new reference", async () => {
  vi.stubGlobal("fetch", async (address: string) =>
    address === "/api/me"
      ? Response.json({
          account: { email: "ann@example.com" },
          homes: [home("AH-1", { favourite: true, note: "Patio" })],
        })
      : new Response(null, { status: 401 }),
  );
  Object.assign(document, { cookie: "account=1" });
  const store = await import("#app/lib/my-homes/store.ts");
  store.onMyHomes(() => undefined);
  await vi.waitFor(() => expect(store.myHomesState()).toBe("known"));
  const { takeOver } = await import("./take-over.ts");
  expect(await takeOver({ "AH-1": "AH-9", "AH-7": "AH-8" })).toBe(true);
  const [{ reference, note } = {}, ...others] = JSON.parse(kept ?? "[]");
  expect([reference, note, others]).toEqual(["AH-9", "Patio", []]);
});

test("a card is found by what its home was called before", () => {
  const card = { ref: "AH-9" } as PropertyCard;
  const cards = byReference([card], { "AH-1": "AH-9", "AH-7": "AH-8" });
  expect([...cards.keys()]).toEqual(["AH-9", "AH-1"]);
});
