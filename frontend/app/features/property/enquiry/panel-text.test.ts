import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { panelGroup, panelTextOf } from "./panel-text.ts";

const SAMPLE = new URL("../../../../../deploy/content/site_settings.json", import.meta.url);
const STATUSES = ["for_sale", "under_offer", "sale_agreed", "pending", "sold"] as const;

test("the panel's text is the editors', and empty where they wrote none", () => {
  const words = { title: "Gone", text: "Nearly." };
  expect(panelTextOf(words)).toEqual(words);
  for (const group of [null, undefined, [], { title: 1 }]) {
    expect(panelTextOf(group)).toEqual({ title: "", text: "" });
  }
});

test("a reserved home counts as taken until it is sold", () => {
  const stages = STATUSES.map((status) => panelGroup(status).replace("enquiry_panel_", ""));
  expect(stages).toEqual(["offered", "taken", "taken", "taken", "sold"]);
});

test.each(["en-GB", "es-ES"])("the sample content has words for each in %s", (tag) => {
  const { figures } = JSON.parse(readFileSync(SAMPLE, "utf8"));
  const inLanguage = JSON.parse(JSON.stringify(figures), (_, value) => value?.[tag] ?? value);
  for (const status of STATUSES) {
    const { title, text } = panelTextOf(inLanguage[panelGroup(status)]);
    expect(title).not.toBe("");
    expect(text).not.toBe("");
  }
});
