import { data, RouterContextProvider, redirect } from "react-router";
import { expect, test } from "vitest";
import { notFound } from "#app/lib/query/page.ts";
import { RenderRecord, renderRecord } from "./render-record.server.ts";
import { serverResource } from "./resource.server.ts";

/** Returns the response for a document that is made in this way. */
async function made(make: Parameters<typeof serverResource>[1]): Promise<Response> {
  const request = new Request("http://renderer/news.xml");
  const context = new RouterContextProvider();
  const record = new RenderRecord(request);
  context.set(renderRecord, record);
  const load = serverResource("application/xml", make, { "x-robots-tag": "noindex" });
  const response = await load({ request, context, params: {}, url: new URL(request.url) });
  record.setHeaders(response);
  return response;
}

test("a document has its content type", async () => {
  const response = await made(async () => "<rss/>");
  expect(response.headers.get("content-type")).toBe("application/xml; charset=utf-8");
  expect(response.headers.get("x-robots-tag")).toBe("noindex");
  expect(await response.text()).toBe("<rss/>");
});

test("a document that lacks something is not cached", async () => {
  const whole = await made(async () => "<rss/>");
  expect(whole.headers.get("cache-control")).toMatch(/^public/);
  const lacking = await made(async (_, { preventCaching }) => {
    preventCaching();
    return "<rss/>";
  });
  expect(lacking.headers.get("cache-control")).toBe("private, no-store");
  expect(await lacking.text()).toBe("<rss/>");
});

test.each([
  [404, "Not Found\n", async () => undefined],
  [
    404,
    "Not Found\n",
    async () => {
      throw notFound();
    },
  ],
  [
    410,
    "Gone\n",
    async () => {
      throw data(null, { status: 410 });
    },
  ],
  [
    503,
    "Service Unavailable\n",
    async () => {
      throw new TypeError("fetch failed");
    },
  ],
])(
  "a missing document has a text, so that no browser shows an empty page (%i, %j)",
  async (status, text, make) => {
    const response = await made(make);
    expect([response.status, await response.text()]).toEqual([status, text]);
    expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  },
);

test("a document may redirect", async () => {
  const elsewhere = redirect("/elsewhere", 302);
  await expect(
    made(async () => {
      throw elsewhere;
    }),
  ).rejects.toBe(elsewhere);
});
