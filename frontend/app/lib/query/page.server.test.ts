import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { RouterContextProvider } from "react-router";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ApiError } from "#app/lib/api/answer.ts";
import { apiQuery } from "./api-query.ts";
import { failureOf, notFound, type PageLoad, pageAddress } from "./page.ts";

/** The answers of the query service, set by each test. */
const answers = new Map<
  string,
  { status: number; headers: Record<string, string>; body: unknown }
>();
const received: IncomingHttpHeaders[] = [];
/** Addresses that are answered with 503 the next time, and the connections of all requests. */
const refusedOnce = new Set<string>();
const connections: (number | undefined)[] = [];
let service: Server;

beforeAll(async () => {
  service = createServer((request, response) => {
    received.push(request.headers);
    const address = request.url ?? "";
    connections.push(request.socket.remotePort);
    if (refusedOnce.delete(address.split("?")[0] ?? "")) {
      response.writeHead(503).end("{}");
      return;
    }
    const known = answers.get(address) ?? answers.get(address.split("?")[0] ?? "");
    const { status, headers, body } = known ?? { status: 404, headers: {}, body: {} };
    response.writeHead(status, headers).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  process.env.QUERY_URL = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
});

afterAll(() => service.close());

beforeEach(() => {
  received.length = 0;
  connections.length = 0;
  refusedOnce.clear();
  answers.clear();
});

function answer(path: string, status: number, sequence: number, tags: string): void {
  answers.set(path, {
    status,
    headers: { "almijara-sequence": String(sequence), "surrogate-key": tags },
    body: { path },
  });
}

/** Runs a page's loader as the router does, between the middleware's two halves. */
async function render(
  load: PageLoad,
  headers: Record<string, string> = {},
  path = "/es/x",
  kind: "publicPage" | "privatePage" | "layoutData" = "publicPage",
) {
  const loaders = await import("./page.server.ts");
  const { recordRender, renderRecord } = await import("#app/lib/server/render-record.server.ts");
  const request = new Request(`http://renderer${path}`, { headers });
  const context = new RouterContextProvider();
  let cached: unknown[] = [];
  let shown: unknown;
  const response = await recordRender({ request, context }, async () => {
    try {
      await loaders[kind](load)({ request, context, params: {}, url: new URL(request.url) });
      const cache = context.get(renderRecord).client.getQueryCache();
      cached = cache.getAll().map(({ queryKey, state }) => [queryKey[0], state.data]);
      return new Response("");
    } catch (error) {
      if (error instanceof Response) return error;
      const { init, data } = error as { init?: ResponseInit; data?: unknown };
      shown = data;
      return new Response("", { status: init?.status ?? 500 });
    }
  });
  return { response, cached, shown };
}

const both: PageLoad = async (read, { locale }) => {
  await Promise.all([
    read(apiQuery("/api/site", { query: { locale } })),
    read(apiQuery("/api/locations", { query: { locale } })),
  ]);
};

test("a page has the tags of all its answers and their lowest position", async () => {
  answer("/api/site", 200, 9, "site");
  answer("/api/locations", 200, 7, "list:locations site");
  const { response, cached } = await render(both);
  expect(response.headers.get("surrogate-key")?.split(" ").sort()).toEqual([
    "list:locations",
    "site",
  ]);
  expect(response.headers.get("almijara-sequence")).toBe("7");
  expect(response.headers.get("cache-control")).toBe("public, max-age=0, must-revalidate");
  expect(cached).toContainEqual([
    "/api/site?locale=es",
    { body: { path: "/api/site" }, sequence: 9, tags: ["site"] },
  ]);
});

test.each(["privatePage", "layoutData"] as const)(
  "a page whose route is not public is not cached (%s)",
  async (kind) => {
    answer("/api/site", 200, 9, "site");
    answer("/api/locations", 200, 7, "list:locations");
    const { response } = await render(both, {}, "/es/x", kind);
    expect(response.headers.get("cache-control")).toBe("private, no-store");
    expect(response.headers.get("surrogate-key")).toBeNull();
    expect(response.headers.get("almijara-sequence")).toBeNull();
  },
);

test("each query carries the position and the trace of the page's request", async () => {
  answer("/api/site", 200, 9, "site");
  answer("/api/locations", 200, 9, "list:locations");
  const headersIn = { "almijara-min-sequence": "9", traceparent: "00-a-b-01", cookie: "session=1" };
  await render(both, headersIn);
  expect(received).toHaveLength(2);
  for (const headers of received) {
    expect(headers).toMatchObject({ "almijara-min-sequence": "9", traceparent: "00-a-b-01" });
    expect(headers.cookie).toBeUndefined();
  }
});

test("a query that a node can't answer is repeated on another connection", async () => {
  answer("/api/site", 200, 9, "site");
  answer("/api/locations", 200, 9, "list:locations");
  refusedOnce.add("/api/site");
  const { response } = await render(both);
  expect(response.status).toBe(200);
  expect(received).toHaveLength(3);
  expect(connections.slice(0, 2)).not.toContain(connections[2]);
});

test("a node that lags behind makes a page with a 503, which is never cached", async () => {
  answer("/api/site", 503, 3, "site");
  answer("/api/locations", 200, 9, "list:locations");
  const { response } = await render(both);
  expect(response.status).toBe(503);
  expect(response.headers.get("retry-after")).toBe("1");
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("surrogate-key")).toBeNull();
});

test("a missing resource keeps its tags, so that its arrival purges the page", async () => {
  answer("/api/site", 404, 9, "property:AH-1");
  answer("/api/locations", 200, 9, "list:locations");
  const { response } = await render(both);
  expect(response.status).toBe(404);
  expect(response.headers.get("surrogate-key")).toContain("property:AH-1");
});

const missing: PageLoad = async () => {
  throw notFound();
};

function moved(from: string, code: number, to: string | null): void {
  const address = `/api/moved?${new URLSearchParams({ path: from })}`;
  answers.set(address, { status: 200, headers: { "surrogate-key": "site" }, body: { to, code } });
}

test("an address that the editors have moved redirects in the visitor's language", async () => {
  moved("/x", 308, "/new-home");
  const { response } = await render(missing);
  expect([response.status, response.headers.get("location")]).toEqual([308, "/es/new-home"]);
  // The editors' next change of redirects purges it.
  expect(response.headers.get("surrogate-key")).toBe("site");
  moved("/old", 301, "/es/solo-en-espanol");
  const english = await render(missing, {}, "/old");
  expect([english.response.status, english.response.headers.get("location")]).toEqual([
    301,
    "/es/solo-en-espanol",
  ]);
});

test("an address that the editors marked as gone is a 410, and an unknown one a 404", async () => {
  moved("/x", 410, null);
  expect((await render(missing)).response.status).toBe(410);
  expect((await render(missing, {}, "/y")).response.status).toBe(404);
});

test("a home that is gone redirects if the editors say so, and shows its remaining details otherwise", async () => {
  const gone: PageLoad = async (read) => {
    await read(apiQuery("/api/site", { query: { locale: "en" } }));
  };
  answer("/api/site", 410, 9, "property:AH-1");
  const left = await render(gone, {}, "/property-for-sale/nerja/AH-1");
  expect([left.response.status, left.shown]).toEqual([410, { path: "/api/site" }]);
  expect(left.response.headers.get("surrogate-key")).toContain("property:AH-1");
  // The editors' 410 adds nothing to the home's own.
  moved("/property-for-sale/nerja/AH-1", 410, null);
  expect((await render(gone, {}, "/property-for-sale/nerja/AH-1")).shown).toEqual(left.shown);
  moved("/property-for-sale/nerja/AH-1", 301, "/property-for-sale/nerja/AH-9");
  const { response } = await render(gone, {}, "/es/property-for-sale/nerja/AH-1");
  expect([response.status, response.headers.get("location")]).toEqual([
    301,
    "/es/property-for-sale/nerja/AH-9",
  ]);
});

test("an address that redirects to itself is not found", async () => {
  moved("/x", 301, "/x");
  expect((await render(missing)).response.status).toBe(404);
});

test("a page is not reported as missing while the redirects can't be read", async () => {
  answers.set("/api/moved", { status: 503, headers: {}, body: {} });
  expect((await render(missing)).response.status).toBe(503);
});

test("a home that is gone is reported while the redirects can't be read, but not by the server", async () => {
  const address = pageAddress({ params: {}, url: new URL("http://site/property-for-sale/x/AH-1") });
  const read = () => Promise.reject(new TypeError("no connection"));
  const gone = new ApiError(410, "it is gone", { similar: [] });
  const inBrowser = await failureOf(gone, read, address, true);
  expect(inBrowser).toMatchObject({ init: { status: 410 }, data: { similar: [] } });
  const missing = await failureOf(notFound(), read, address, true);
  expect(missing).toMatchObject({ init: { status: 503 } });
  expect(await failureOf(gone, read, address)).toMatchObject({ init: { status: 503 } });
});

test("a query service that does not answer makes the same 503", async () => {
  const { response } = await render(async () => {
    throw new TypeError("fetch failed");
  });
  expect(response.status).toBe(503);
});
