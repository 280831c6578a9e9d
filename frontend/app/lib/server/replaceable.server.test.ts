import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { QueryService } from "./query-service.server.ts";
import { Replaceable } from "./replaceable.server.ts";

test("calls wait for a service that is being replaced", async () => {
  const before = createServer().listen(0, "127.0.0.1");
  await once(before, "listening");
  const { port } = before.address() as AddressInfo;
  before.close();
  await once(before, "close");

  const service = new Replaceable();
  let calls = 0;
  const fetched = service.reach(() => {
    calls += 1;
    return fetch(`http://127.0.0.1:${port}/`);
  });
  const queried = new QueryService(`http://127.0.0.1:${port}`).request({
    method: "GET",
    path: "/",
  });
  await expect.poll(() => calls).toBeGreaterThan(1);
  const after = createServer((_, response) => response.end("back")).listen(port, "127.0.0.1");
  try {
    expect(await (await fetched).text()).toBe("back");
    expect((await queried).text).toBe("back");
  } finally {
    after.closeAllConnections();
    after.close();
  }
});

test("a call that was received and broke off is not repeated", async () => {
  let calls = 0;
  const call = () => {
    calls += 1;
    return Promise.reject(Object.assign(new Error("broken off"), { code: "ECONNRESET" }));
  };
  await expect(new Replaceable().reach(call)).rejects.toThrow("broken off");
  expect(calls).toBe(1);
});
