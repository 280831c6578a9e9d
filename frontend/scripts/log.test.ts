import { expect, test } from "vitest";
import { inTrace, jsonLine } from "../log.js";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

test("a log entry is one line of JSON, with the id of its trace", async () => {
  const failure = new Error("no page\nat all");
  const text = await inTrace(`00-${TRACE}-00f067aa0ba902b7-01`, async () => {
    await Promise.resolve();
    return jsonLine("ERROR", [failure]);
  });
  expect(text.trimEnd()).not.toContain("\n");
  const line = JSON.parse(text);
  expect(line).toMatchObject({ level: "ERROR", trace_id: TRACE });
  expect(line.message).toContain("Error: no page\nat all");
  expect(new Date(line.timestamp).toISOString()).toBe(line.timestamp);
});

test("a log entry outside a trace has no trace id", () => {
  const lineOf = () => JSON.parse(jsonLine("INFO", ["renderer listening on port %d", 3000]));
  expect(lineOf()).toEqual({
    timestamp: expect.any(String),
    level: "INFO",
    message: "renderer listening on port 3000",
  });
  for (const none of [null, "", "00-zz-zz-01"]) {
    expect(inTrace(none, lineOf)).not.toHaveProperty("trace_id");
  }
});
