import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { PropertyKind } from "#app/lib/api/types.ts";
import { nounOf } from "../noun.ts";
import { noticesOf, readNotices } from "./notices.ts";

const notices = (kind: PropertyKind, newBuild = false) =>
  noticesOf({ kind, newBuild, energy: null });

test("the housing law and the information sheet are only for homes", () => {
  for (const kind of ["villa", "village-house", "country-house", "studio", "penthouse"] as const) {
    expect(nounOf(kind)).toBe("home");
    expect(notices(kind)).toEqual(["deposit", "sheet", "certificate"]);
  }
  for (const kind of ["garage", "land", "office", "premises", "bar"] as const) {
    expect(notices(kind)).not.toContain("deposit");
    expect(notices(kind)).not.toContain("sheet");
    expect(notices(kind)).toContain("papers");
  }
});

test("a new home has the builder's guarantees, and nothing else does", () => {
  expect(notices("apartment", true)).toEqual(expect.arrayContaining(["on_account", "building"]));
  expect(notices("apartment")).not.toContain("building");
  expect(notices("premises", true)).not.toContain("building");
});

test("land and garages have no notices about a certificate or a licence", () => {
  expect(notices("land")).toContain("planning");
  for (const kind of ["garage", "land"] as const) {
    expect(notices(kind)).not.toContain("certificate");
    expect(notices(kind)).not.toContain("licence");
  }
  expect(notices("bar")).toEqual(expect.arrayContaining(["licence", "certificate"]));
});

test("an exempt home has no notice about a certificate", () => {
  const energy = { rating: "exempt", exemption: "demolition_or_renovation" } as const;
  const ruin = noticesOf({ kind: "country-house", newBuild: false, energy });
  expect(ruin).toEqual(["deposit", "sheet"]);
});

test("the texts are the editors', and notices without a text are omitted", () => {
  const figures = {
    notice_sheet: { title: "The sheet", text: "Ask for it." },
    notice_deposit: { title: "Before any deposit" },
    notice_papers: { title: "Papers", text: "Of other kinds." },
  };
  const names = notices("villa");
  expect(readNotices(figures, names)).toEqual([
    { name: "sheet", title: "The sheet", text: "Ask for it." },
  ]);
  for (const none of [null, undefined, [], { notice_sheet: null }]) {
    expect(readNotices(none, names)).toEqual([]);
  }
});

test("the sample content has the words of all of them in both languages", () => {
  const file = new URL("../../../../../deploy/content/site_settings.json", import.meta.url);
  const settings = readFileSync(file, "utf8");
  for (const language of ["en-GB", "es-ES"]) {
    // Like the API's answer in one language.
    const { figures } = JSON.parse(settings, (_, value) => value?.[language] ?? value);
    for (const kind of ["villa", "garage", "land", "office"] as const) {
      for (const newBuild of [false, true]) {
        const names = notices(kind, newBuild);
        expect(readNotices(figures, names).map(({ name }) => name)).toEqual(names);
      }
    }
  }
});
