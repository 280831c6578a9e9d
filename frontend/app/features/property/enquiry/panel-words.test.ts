import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { panelWordsOf, stageOf } from "./panel-words.ts";

const SAMPLE = new URL("../../../../../deploy/content/site_settings.json", import.meta.url);

test("what stands above the ways to reach us is the editors', and nothing is said for them", () => {
  const taken = { title: "Gone", text: "Nearly." };
  const none = { title: "", text: "" };
  expect(panelWordsOf({ enquiry_panel: { taken, sold: { title: 1 } } })).toEqual({
    offered: none,
    taken,
    sold: none,
  });
  for (const figures of [null, {}, { enquiry_panel: null }, { enquiry_panel: [] }]) {
    expect(Object.values(panelWordsOf(figures))).toEqual([none, none, none]);
  }
});

test("a home that somebody has reserved is spoken of as taken until it is sold", () => {
  expect(
    (["for_sale", "under_offer", "sale_agreed", "pending", "sold"] as const).map(stageOf),
  ).toEqual(["offered", "taken", "taken", "taken", "sold"]);
});

test.each(["en-GB", "es-ES"])("the sample content has words for each in %s", (tag) => {
  const { figures } = JSON.parse(readFileSync(SAMPLE, "utf8"));
  const inLanguage = JSON.parse(JSON.stringify(figures), (_, value) => value?.[tag] ?? value);
  for (const { title, text } of Object.values(panelWordsOf(inLanguage))) {
    expect(title).not.toBe("");
    expect(text).not.toBe("");
  }
});
