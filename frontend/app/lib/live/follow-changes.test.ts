import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { ApiError } from "#app/lib/api/answer.ts";
import { freshness } from "#app/lib/query/freshness.ts";
import { followChanges } from "./follow-changes.ts";

/** A change stream that the tests write to by hand. */
let service: Server;
const connections: { request: IncomingMessage; response: ServerResponse }[] = [];
const page = Object.assign(new EventTarget(), { hidden: false });
const browser = new EventTarget();

beforeAll(async () => {
  service = createServer((request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    connections.push({ request, response });
  });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const fetchAnywhere = globalThis.fetch;
  vi.stubGlobal("document", page);
  vi.stubGlobal("addEventListener", browser.addEventListener.bind(browser));
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

test("the stream is followed from the page's position, across lost connections and new pages", async () => {
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
  // This answer was made after the change at 45.
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

  // Hiding the page for a moment does not drop the tags that are about to be subscribed to.
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

test("changes that an answer in flight has missed are sent again", async () => {
  const client = new QueryClient();
  const before = connections.length;
  client.setQueryData(["list"], { body: 1, sequence: 52, tags: ["list:properties"] });
  const stop = new AbortController();
  followChanges(client, stop.signal);
  const first = await connection(before);
  first.change(55, "property:AH-1", "list:properties");
  await vi.waitFor(() => expect(client.getQueryState(["list"])?.isInvalidated).toBe(true));

  const late = { body: 1, sequence: 54, tags: ["property:AH-1", "list:properties"] };
  client.setQueryData(["detail"], late);
  const second = await connection(before + 1);
  await first.ended();
  expect(second.from).toBe("54");
  second.change(55, "property:AH-1", "list:properties");
  await vi.waitFor(() => expect(client.getQueryState(["detail"])?.isInvalidated).toBe(true));

  // A site that lags behind sends the same old answer repeatedly.
  client.setQueryData(["detail"], { ...late });
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(connections.length).toBe(before + 2);
  stop.abort();
  await second.ended();
  client.clear();
});

test("the stream reconnects at once when the browser is online again, however long it was offline", async () => {
  const client = new QueryClient();
  client.setQueryData(["site"], { body: 1, sequence: 60, tags: ["site"] });
  const stop = new AbortController();
  const fetchFromService = globalThis.fetch;
  const chance = vi.spyOn(Math, "random").mockReturnValue(0.5);
  const fetched = vi.fn(async () => {
    throw new TypeError("no line");
  });
  vi.stubGlobal("fetch", fetched);
  vi.useFakeTimers();
  try {
    followChanges(client, stop.signal);
    await vi.advanceTimersByTimeAsync(120_000);
    const before = fetched.mock.calls.length;
    browser.dispatchEvent(new Event("online"));
    await vi.advanceTimersByTimeAsync(10);
    expect(fetched).toHaveBeenCalledTimes(before + 1);
    // A connection that still fails is retried soon.
    await vi.advanceTimersByTimeAsync(750);
    expect(fetched).toHaveBeenCalledTimes(before + 2);

    // A connection that hangs is replaced.
    fetched.mockImplementation(() => new Promise<never>(() => undefined));
    await vi.advanceTimersByTimeAsync(2_000);
    const hanging = fetched.mock.calls.length;
    browser.dispatchEvent(new Event("online"));
    await vi.advanceTimersByTimeAsync(10);
    expect(fetched).toHaveBeenCalledTimes(hanging + 1);

    stop.abort();
    browser.dispatchEvent(new Event("online"));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(fetched).toHaveBeenCalledTimes(hanging + 1);
  } finally {
    vi.useRealTimers();
    chance.mockRestore();
    vi.stubGlobal("fetch", fetchFromService);
    stop.abort();
  }
  client.clear();
});

test("queries that failed are fetched again with the next connection, unless the resource is gone", async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const before = connections.length;
  const fetches: string[] = [];
  let isAway = true;
  const show = (key: string, tag: string, failure: () => Error) => {
    const answer = { body: "old", sequence: 60, tags: [tag] };
    client.setQueryData([key], answer);
    const queryFn = async () => {
      fetches.push(key);
      if (isAway || key === "gone") throw failure();
      return { ...answer, body: "new", sequence: 70 };
    };
    return new QueryObserver(client, {
      queryKey: [key],
      queryFn,
      staleTime: Number.POSITIVE_INFINITY,
    }).subscribe(() => undefined);
  };
  const hide = [
    show("home", "property:AH-1", () => new ApiError(503, "away")),
    show("gone", "property:AH-2", () => new ApiError(410, "withdrawn")),
  ];
  const stop = new AbortController();
  followChanges(client, stop.signal);
  const first = await connection(before);
  first.change(70, "property:AH-1", "property:AH-2");
  await vi.waitFor(() => expect(client.getQueryState(["home"])?.status).toBe("error"));
  expect(client.getQueryData(["home"])).toMatchObject({ body: "old" });

  isAway = false;
  first.cut();
  await vi.waitFor(() => expect(client.getQueryData(["home"])).toMatchObject({ body: "new" }), {
    timeout: 5_000,
  });
  expect(fetches).toEqual(["home", "gone", "home"]);
  stop.abort();
  for (const end of hide) end();
  client.clear();
});

test("answers that many changes invalidate are fetched once, at the position of the last change", async () => {
  const client = new QueryClient();
  const before = connections.length;
  client.setQueryData(["list"], { body: 0, sequence: 71, tags: ["list:properties"] });
  const fetches: (number | undefined)[] = [];
  const end = new QueryObserver(client, {
    queryKey: ["list"],
    queryFn: async ({ signal }) => {
      fetches.push(freshness.get());
      await new Promise((resolve) => setTimeout(resolve, 50));
      signal.throwIfAborted();
      return { body: fetches.length, sequence: freshness.get(), tags: ["list:properties"] };
    },
    staleTime: Number.POSITIVE_INFINITY,
  }).subscribe(() => undefined);
  const stop = new AbortController();
  followChanges(client, stop.signal);
  const first = await connection(before);
  for (const each of [72, 73, 74, 75, 76])
    first.change(each, "list:properties", `property:${each}`);
  await vi.waitFor(() => expect(client.getQueryData(["list"])).toMatchObject({ sequence: 76 }));
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(fetches).toEqual([76]);

  // Changes that were received before a stop are applied all the same.
  first.change(77, "list:properties");
  await vi.waitFor(() => expect(freshness.get()).toBe(77));
  end();
  stop.abort();
  expect(client.getQueryState(["list"])?.isInvalidated).toBe(true);
  await first.ended();
  client.clear();
});

test("failed queries are fetched again after half a minute while the connection lasts", async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  let fetches = 0;
  client.setQueryData(["home"], { body: "old", sequence: 80, tags: ["property:AH-1"] });
  const end = new QueryObserver(client, {
    queryKey: ["home"],
    queryFn: async () => {
      fetches += 1;
      throw new ApiError(429, "too many");
    },
    staleTime: Number.POSITIVE_INFINITY,
  }).subscribe(() => undefined);
  const stop = new AbortController();
  const { readable, writable } = new TransformStream<Uint8Array>();
  const stream = writable.getWriter();
  const say = (text: string) => stream.write(new TextEncoder().encode(text));
  const fetchFromService = globalThis.fetch;
  vi.stubGlobal("fetch", async () => new Response(readable));
  vi.useFakeTimers();
  try {
    followChanges(client, stop.signal);
    await say('event: changed\ndata: {"sequence":90,"tags":["property:AH-1"]}\n\n');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(fetches).toBe(1);
    for (let half = 0; half < 8; half += 1) {
      // Silence would end the connection, which would trigger a fetch as well.
      await say(": beat\n\n");
      await vi.advanceTimersByTimeAsync(15_000);
    }
    expect(fetches).toBe(2);
  } finally {
    vi.useRealTimers();
    vi.stubGlobal("fetch", fetchFromService);
    stop.abort();
  }
  end();
  client.clear();
});
