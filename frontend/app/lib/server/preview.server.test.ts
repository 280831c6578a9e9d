import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

/** The requests that the preview service receives, and its answer. */
const asked: IncomingMessage[] = [];
let status = 200;
let answer: unknown = {};
let service: Server;
let preview: typeof import("./preview.server.ts");

beforeAll(async () => {
  service = createServer((request, response) => {
    asked.push(request);
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  await new Promise<void>((listening) => {
    service.listen(0, "127.0.0.1", listening);
  });
  const { port } = service.address() as AddressInfo;
  vi.stubEnv("PREVIEW_URL", `http://127.0.0.1:${port}`);
  vi.stubEnv("STAGING_APIS", `next=http://127.0.0.1:${port}`);
  preview = await import("./preview.server.ts");
});

afterAll(() => service.close());

function request(headers: Record<string, string>, path = "/") {
  return preview.previewOf(new Request(`http://localhost${path}`, { headers }));
}

const signal = AbortSignal.timeout(30_000);

test("without a ticket there is no preview", () => {
  expect(request({})).toBeUndefined();
  expect(request({ "almijara-preview-version": "draft" })).toBeUndefined();
});

test("drafts answer calls for one item, and no others", async () => {
  answer = { answer: { title: "Zanzibar" }, preview: { item: "7" } };
  const asker = request({
    "almijara-preview": "ticket",
    "almijara-preview-version": "draft",
    traceparent: "00-a-b-01",
  });
  for (const address of [
    "/api/properties?locale=en",
    "/api/properties/map?locale=en",
    "/api/locations?locale=en",
    "/api/articles?locale=en",
    "/api/site?locale=en",
    "/api/pages",
    "/api/docs?locale=en",
    "/api/docs/buying/nie-number?locale=en",
  ]) {
    expect(await asker?.draft(address, signal), address).toBeUndefined();
  }
  expect(asked).toEqual([]);
  const draft = await asker?.draft("/api/properties/AH-7?locale=en", signal);
  expect(await draft?.reply.json()).toEqual({ title: "Zanzibar" });
  expect(draft?.preview).toEqual({ item: "7" });
  expect(draft?.reply.headers.get("surrogate-key")).toBeNull();
  expect(asked[0]?.url).toBe("/api/properties/AH-7?locale=en&version=draft");
  expect(asked[0]?.headers).toMatchObject({
    "almijara-preview": "ticket",
    traceparent: "00-a-b-01",
  });
  const place = await asker?.draft("/api/locations/nerja?locale=en", signal);
  expect(place?.preview).toEqual({ item: "7" });
});

test("a guide is a draft on its own page, not where other pages list the guides", async () => {
  answer = { answer: { title: "Zanzibar" }, preview: { item: "3" } };
  for (const [path, address] of [
    ["/docs", "/api/docs?locale=en"],
    ["/es/docs/buying/nie-number", "/api/docs/buying/nie-number?locale=es"],
  ] as const) {
    const asker = request({ "almijara-preview": "ticket" }, path);
    expect((await asker?.draft(address, signal))?.preview, path).toEqual({ item: "3" });
    expect(await asker?.draft("/api/site?locale=en", signal), path).toBeUndefined();
  }
});

test("the call that every page makes is a draft on the page of a place, without an item", async () => {
  answer = { answer: { locations: [{ slug: "maro", name: "Maro" }] }, preview: null };
  const headers = { "almijara-preview": "ticket", "almijara-preview-version": "draft" };
  for (const [path, address] of [
    ["/property-for-sale/maro", "/api/site?locale=en"],
    ["/es/property-for-sale/maro", "/api/site?locale=es"],
  ] as const) {
    const draft = await request(headers, path)?.draft(address, signal);
    expect(await draft?.reply.json(), path).toEqual({
      locations: [{ slug: "maro", name: "Maro" }],
    });
    expect(draft?.preview, path).toBeUndefined();
    expect(asked.at(-1)?.url).toBe(`${address}&place=maro&version=draft`);
  }
  for (const path of ["/", "/property-for-sale", "/property-for-sale/maro/AH-7", "/maro"]) {
    expect(
      await request(headers, path)?.draft("/api/site?locale=en", signal),
      path,
    ).toBeUndefined();
  }
});

test("an item that can't be shown is still described, and a failure is no missing page", async () => {
  const asker = request({ "almijara-preview": "ticket" });
  answer = { answer: null, preview: { item: "7", refused: [{ field: "price" }] } };
  const refused = await asker?.draft("/api/pages/a?locale=en", signal);
  expect(refused?.reply.status).toBe(404);
  expect(refused?.preview?.refused).toHaveLength(1);
  for (const trouble of [401, 500, 503]) {
    status = trouble;
    const away = await asker?.draft("/api/pages/a?locale=en", signal);
    expect(away?.reply.status, String(trouble)).toBe(503);
  }
  status = 200;
});

test("a development API that is not configured is refused", async () => {
  const asker = request({ "almijara-preview": "ticket", "almijara-staging": "next" });
  expect(asker?.staging).toBe("next");
  expect(asker?.queryService).toBeDefined();
  expect(await asker?.draft("/api/pages/a?locale=en", signal)).toBeUndefined();
  const odd = { "almijara-preview": "ticket", "almijara-staging": "http://evil.example" };
  expect(() => request(odd)).toThrow(preview.PreviewRefused);
});

test("without a preview service a preview is refused in words, and the first time logged", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  vi.stubEnv("PREVIEW_URL", "");
  vi.resetModules();
  const { previewOf } = await import("./preview.server.ts");
  const withTicket = () =>
    previewOf(new Request("http://localhost/", { headers: { "almijara-preview": "ticket" } }));
  for (let times = 0; times < 2; times += 1) expect(withTicket).toThrow(/PREVIEW_URL/);
  expect(log).toHaveBeenCalledOnce();
  expect(previewOf(new Request("http://localhost/"))).toBeUndefined();
});
