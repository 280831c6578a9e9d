import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import type { Picture } from "#app/lib/api/types.ts";

const picture = (file: string) => ({ file, version: "1", alt: file }) as Picture;
const signal = new AbortController().signal;

test("the pictures that exist are returned, and whether one is missing", async () => {
  const site = createServer(({ url = "" }, response) => {
    if (url.includes("busy")) response.statusCode = 503;
    else if (url.includes("none")) response.statusCode = 404;
    else if (url.includes("broken")) response.statusCode = 502;
    response.end("a picture");
  });
  site.listen(0, "127.0.0.1");
  await once(site, "listening");
  process.env.SITE_URL = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  try {
    const { sheetPictures } = await import("./pictures.server.ts");
    const shown = async (...files: string[]) => {
      const { pictures, areAll } = await sheetPictures(files.map(picture), signal);
      return [pictures.map(({ alt }) => alt), areAll];
    };
    expect(await shown("a", "b", "c", "none")).toEqual([["a", "b", "c"], true]);
    expect(await shown("a", "none", "c")).toEqual([["a", "c"], false]);
    expect(await shown("a", "broken")).toEqual([["a"], true]);
    expect(await shown()).toEqual([[], true]);
    await expect(shown("a", "busy")).rejects.toMatchObject({ status: 503 });
  } finally {
    site.closeAllConnections();
    site.close();
  }
});
