import { expect, test } from "vitest";
import { readOutcome } from "./outcome.ts";

test.each([
  ["begun", { is: "resting", end: "begun", why: "" }],
  ["done", { is: "well", end: "done", why: "" }],
  ["done (200)", { is: "well", end: "done (200)", why: "" }],
  ["refused (409) one is running", { is: "wrong", end: "refused (409)", why: "one is running" }],
  ["failed (503)", { is: "wrong", end: "failed (503)", why: "" }],
  ["", { is: "wrong", end: "", why: "" }],
])("the outcome %j", (outcome, read) => {
  expect(readOutcome(outcome)).toEqual(read);
});
