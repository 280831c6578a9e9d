import { expect, test } from "vitest";
import { localeOf } from "#app/lib/i18n/locale.ts";
import { movedFrom } from "./moved.ts";
import type { Read } from "./page.ts";

/** Where a visitor of `path` is led who finds that it moved to `to`. */
async function ledTo(path: string, to: string): Promise<string | null | undefined> {
  const read = (async () => ({ to, code: 308 })) as unknown as Read;
  const url = new URL(path, "https://site.example");
  const moved = await movedFrom(read, { locale: localeOf(url.pathname), params: {}, url });
  return moved instanceof Response ? moved.headers.get("location") : undefined;
}

test("an address that editors write with an accent is led to as a header can hold it", async () => {
  const search = "/property-for-sale?q=ático";
  expect(await ledTo("/old", search)).toBe("/property-for-sale?q=%C3%A1tico");
  expect(await ledTo("/es/old", search)).toBe("/es/property-for-sale?q=%C3%A1tico");
  expect(await ledTo("/old", "/precios/玄関#más")).toBe("/precios/%E7%8E%84%E9%96%A2#m%C3%A1s");
  expect(await ledTo("/old", "https://otro.example/año")).toBe("https://otro.example/a%C3%B1o");
  expect(await ledTo("/old", "https://site.example/new")).toBe("/new");
});

test("no address leads to itself, however it is written, or nowhere", async () => {
  expect(await ledTo("/pe%C3%B1oncillo", "/peñoncillo")).toBeUndefined();
  expect(await ledTo("/old", "https://")).toBeUndefined();
});
