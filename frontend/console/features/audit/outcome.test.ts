import { expect, test } from "vitest";
import { readOutcome } from "./outcome.ts";

test.each([
  ["begun", { tone: "resting", end: "begun", status: "", why: "" }],
  ["done", { tone: "well", end: "done", status: "", why: "" }],
  ["done (200)", { tone: "well", end: "done", status: "(200)", why: "" }],
  [
    "refused (409) one is running",
    { tone: "wrong", end: "refused", status: "(409)", why: "one is running" },
  ],
  ["failed (503)", { tone: "wrong", end: "failed", status: "(503)", why: "" }],
  ["", { tone: "wrong", end: "", status: "", why: "" }],
])("the outcome %j", (outcome, read) => {
  expect(readOutcome(outcome)).toEqual(read);
});
