import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { PropertyCard } from "#app/lib/api/types.ts";
import { byReference } from "./use-cards.ts";

let stored: string | null;

beforeEach(() => {
  stored = null;
  const page = Object.assign(new EventTarget(), { cookie: "", hidden: false });
  vi.stubGlobal("document", page);
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
  vi.stubGlobal("localStorage", {
    getItem: () => stored,
    setItem: (_: string, text: string) => {
      stored = text;
    },
    removeItem: () => {
      stored = null;
    },
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** Returns what the device stores of `homes` after those in `moved` got new references. */
async function storedAfter(homes: readonly object[], moved: Record<string, string>) {
  stored = JSON.stringify(homes);
  const store = await import("#app/lib/my-homes/store.ts");
  store.onMyHomes(() => undefined);
  const { moveToNewReferences } = await import("./move-references.ts");
  await moveToNewReferences(moved);
  return [...store.myHomes().values()].map(({ changedAt, seenAt, ...home }) => home);
}

const home = (reference: string, fields: object = {}) => ({
  reference,
  favourite: false,
  note: null,
  hidden: false,
  compared: false,
  ...fields,
});

test("what is stored about a home moves to its new reference, and other homes stay", async () => {
  const other = home("AH-2", { favourite: true });
  const liked = home("AH-1", { favourite: true, note: "Patio" });
  expect(await storedAfter([liked, other], { "AH-1": "AH-9", "AH-7": "AH-8" })).toEqual([
    home("AH-9", { favourite: true, note: "Patio" }),
    other,
  ]);
});

test("what is stored under both references is merged", async () => {
  const before = home("AH-1", { hidden: true, note: "Patio" });
  const since = home("AH-9", { favourite: true, note: "North" });
  expect(await storedAfter([before, since], { "AH-1": "AH-9" })).toEqual([
    home("AH-9", { favourite: true, hidden: true, note: "North\nPatio" }),
  ]);
});

test("one of four compared homes stays compared", async () => {
  const compared = ["AH-1", "AH-2", "AH-3", "AH-4"].map((each) => home(each, { compared: true }));
  const now = await storedAfter(compared, { "AH-1": "AH-9" });
  expect(now.filter((each) => each.compared).map(({ reference }) => reference)).toEqual([
    "AH-9",
    "AH-2",
    "AH-3",
    "AH-4",
  ]);
});

test("nothing moves if the joined notes would be too long", async () => {
  const homes = [
    home("AH-1", { favourite: true, note: "a".repeat(1_500) }),
    home("AH-9", { favourite: true, note: "b".repeat(1_500) }),
  ];
  expect(await storedAfter(homes, { "AH-1": "AH-9" })).toEqual(homes);
});

test("a note that was already joined is not joined again", async () => {
  const before = home("AH-1", { favourite: true, note: "Patio" });
  const since = home("AH-9", { favourite: true, note: "North\nPatio" });
  expect(await storedAfter([before, since], { "AH-1": "AH-9" })).toEqual([since]);
});

test("an unsaved note moves to the new reference", async () => {
  const { draftOf, writeDraft } = await import("./drafts.ts");
  writeDraft("AH-1", "Patio, lift");
  const homes = [
    home("AH-1", { favourite: true, note: "Patio" }),
    home("AH-9", { favourite: true, note: "North" }),
  ];
  await storedAfter(homes, { "AH-1": "AH-9" });
  expect([draftOf("AH-1"), draftOf("AH-9")]).toEqual([undefined, "North\nPatio, lift"]);
});

test("after the session has ended, it is reported and the device stores the home under the new reference", async () => {
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
  const { moveToNewReferences } = await import("./move-references.ts");
  expect(await moveToNewReferences({ "AH-1": "AH-9", "AH-7": "AH-8" })).toBe(true);
  const [{ reference, note } = {}, ...others] = JSON.parse(stored ?? "[]");
  expect([reference, note, others]).toEqual(["AH-9", "Patio", []]);
});

test("a card is found by its former reference", () => {
  const card = { ref: "AH-9" } as PropertyCard;
  const cards = byReference([card], { "AH-1": "AH-9", "AH-7": "AH-8" });
  expect([...cards.keys()]).toEqual(["AH-9", "AH-1"]);
});
