import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { QueryClient } from "@tanstack/react-query";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { followChanges } from "./follow-changes.ts";

/** A change stream that each test speaks through by hand. */
let service: Server;
const connections: { request: IncomingMessage; response: ServerResponse }[] = [];
const page = Object.assign(new EventTarget(), { hidden: false });

beforeAll(async () => {
  service = createServer((request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    connections.push({ request, response });
  });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const fetchAnywhere = globalThis.fetch;
  vi.stubGlobal("document", page);
  vi.stubGlobal("fetch", (path: string, init: RequestInit) => fetchAnywhere(origin + path, init));
});

afterAll(() => {
  vi.unstubAllGlobals();
  service.closeAllConnections();
  service.close();
});

async function connection(index: number) {
  await vi.waitFor(() => expect(connections.length).toBeGreaterThan(index), { timeout: 5_000 });
  const { request, response } = connections[index] as (typeof connections)[number];
  const url = new URL(request.url ?? "/", "http://service");
  return {
    from: request.headers["last-event-id"],
    tags: url.searchParams.get("tags")?.split(",").sort(),
    change: (sequence: number, ...tags: string[]) =>
      response.write(
        `event: changed\nid: ${sequence}\ndata: ${JSON.stringify({ sequence, tags })}\n\n`,
      ),
    cut: () => response.destroy(),
    ended: () => vi.waitFor(() => expect(response.closed).toBe(true), { timeout: 5_000 }),
  };
}

test("the stream is followed from where the page stands, through cuts and new pages", async () => {
  const client = new QueryClient();
  const isOld = (key: string) => client.getQueryState([key])?.isInvalidated;
  client.setQueryData(["detail"], { body: 1, sequence: 40, tags: ["property:AH-1"] });
  client.setQueryData(["site"], { body: 1, sequence: 50, tags: ["site"] });
  const stop = new AbortController();
  followChanges(client, stop.signal);

  const first = await connection(0);
  expect([first.from, first.tags]).toEqual(["40", ["property:AH-1", "site"]]);
  first.change(45, "site");
  first.change(51, "property:AH-1", "list:properties");
  await vi.waitFor(() => expect(isOld("detail")).toBe(true));
  // It had been made after the change at 45.
  expect(isOld("site")).toBe(false);

  first.cut();
  const second = await connection(1);
  expect(second.from).toBe("51");

  client.setQueryData(["list"], {
    body: 1,
    sequence: 51,
    tags: ["list:properties", "property:AH-2", "property:AH-3"],
  });
  const third = await connection(2);
  await second.ended();
  expect(third.tags).toEqual(["list:properties", "site"]);
  third.change(52, "property:AH-9", "list:properties");
  await vi.waitFor(() => expect(isOld("list")).toBe(true));

  // A quick look elsewhere forgets nothing of what was about to be listened to.
  client.setQueryData(["page"], { body: 1, sequence: 52, tags: ["page:about"] });
  for (const hidden of [true, false]) {
    page.hidden = hidden;
    page.dispatchEvent(new Event("visibilitychange"));
  }
  const fourth = await connection(3);
  expect(fourth.tags).toContain("page:about");

  stop.abort();
  await fourth.ended();
  client.clear();
});
