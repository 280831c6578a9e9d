import { expect, test } from "vitest";
import { traceAddress } from "./trace.ts";

test("a trace's address is an HTTP address with the id in it", () => {
  const template = "https://traces.example/trace/{traceId}";
  expect(traceAddress(template, "4bf9")).toBe("https://traces.example/trace/4bf9");
  expect(traceAddress(template, "a/b")).toBe("https://traces.example/trace/a%2Fb");
  expect(traceAddress(null, "4bf9")).toBeUndefined();
  expect(traceAddress(template, null)).toBeUndefined();
  expect(traceAddress("javascript:alert({traceId})", "1")).toBeUndefined();
});
