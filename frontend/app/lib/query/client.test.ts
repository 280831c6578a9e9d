import { expect, test } from "vitest";
import { makeQueryClient } from "./client.ts";

test.each([
  ["a crowd", 429, 2],
  ["a node that is behind", 503, 2],
  ["a question that is wrong", 400, 1],
  ["a home that has been withdrawn", 410, 1],
])("%s is retried only if the error may be temporary", async (_, status, asked) => {
  let count = 0;
  const client = makeQueryClient(async () => {
    count += 1;
    return new Response(null, { status });
  }, 1);
  await expect(client.query({ queryKey: ["/api/site"] })).rejects.toThrow(String(status));
  expect(count).toBe(asked);
});
