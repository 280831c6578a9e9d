import { expect, test } from "vitest";
import { readOutcome } from "./outcome.ts";

test.each([
  ["begun", { tone: "resting", end: "begun", why: "" }],
  ["done", { tone: "well", end: "done", why: "" }],
  ["done (200)", { tone: "well", end: "done (200)", why: "" }],
  ["refused (409) one is running", { tone: "wrong", end: "refused (409)", why: "one is running" }],
  ["failed (503)", { tone: "wrong", end: "failed (503)", why: "" }],
  ["", { tone: "wrong", end: "", why: "" }],
])("the outcome %j", (outcome, read) => {
  expect(readOutcome(outcome)).toEqual(read);
});
