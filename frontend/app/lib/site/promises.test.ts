import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { promisesOf } from "./promises.ts";

const SAMPLE = new URL("../../../../deploy/content/site_settings.json", import.meta.url);

test("the promises are the editors', and missing ones are empty", () => {
  const promises = { answer: "Tomorrow.", valuation: "Next week, for nothing." };
  expect(promisesOf({ promises })).toEqual(promises);
  const none = { answer: "", valuation: "" };
  for (const figures of [null, {}, { promises: null }, { promises: { answer: 1 } }]) {
    expect(promisesOf(figures)).toEqual(none);
  }
});

test.each(["en-GB", "es-ES"])("the sample makes each in %s", (tag) => {
  const { figures } = JSON.parse(readFileSync(SAMPLE, "utf8"));
  const inLanguage = JSON.parse(JSON.stringify(figures), (_, value) => value?.[tag] ?? value);
  for (const promise of Object.values(promisesOf(inLanguage))) expect(promise).not.toBe("");
});
