import { expect, test } from "vitest";
import { ApiError } from "#app/lib/api/answer.ts";
import { localeOf } from "#app/lib/i18n/locale.ts";
import { movedFrom } from "./moved.ts";
import { notFound, type Read } from "./page.ts";

/** Where a visitor of `path` is led who finds that it, or `from` alone, moved to `to`, or that nobody knows of it. */
async function ledTo(path: string, to?: string, from?: string): Promise<string | null | undefined> {
  const read = (async ({ queryKey: [address] }: { queryKey: [string] }) => {
    const asked = new URL(address, "https://api.example").searchParams.get("path");
    const isKnown = to !== undefined && (from === undefined || asked === from);
    if (!isKnown) throw new ApiError(404, "nothing has moved");
    return { to, code: 308 };
  }) as unknown as Read;
  const url = new URL(path, "https://site.example");
  const address = { locale: localeOf(url.pathname), params: {}, url };
  const moved = await movedFrom(read, address, notFound());
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

test("an address in capitals leads to the same in small letters, with its query", async () => {
  expect(await ledTo("/Login")).toBe("/login");
  expect(await ledTo("/ES")).toBe("/es");
  const search = "?q=Casa&sort=price-asc";
  expect(await ledTo(`/ES/Property-For-Sale${search}`)).toBe(`/es/property-for-sale${search}`);
  expect(await ledTo("/NEWS/A-FINCA.XML")).toBe("/news/a-finca.xml");
});

test("a home's reference and what is escaped keep their capitals, and lead nowhere by them", async () => {
  const home = "/property-for-sale/nerja/AH-9700";
  expect(await ledTo(home)).toBeUndefined();
  expect(await ledTo(`/es${home}`)).toBeUndefined();
  expect(await ledTo("/ES/Property-For-Sale/Nerja/AH-9700/Sheet.PDF")).toBe(`/es${home}/sheet.pdf`);
  expect(await ledTo("/pe%C3%B1oncillo")).toBeUndefined();
  expect(await ledTo("/Pe%C3%B1oncillo")).toBe("/pe%C3%B1oncillo");
});

test("what the editors moved to capitals is not led back from there", async () => {
  const guide = (path: string) => ledTo(path, "/Nerja-Guide", "/nerja-guide");
  expect(await guide("/nerja-guide")).toBe("/Nerja-Guide");
  expect(await guide("/NERJA-GUIDE")).toBe("/Nerja-Guide");
  expect(await guide("/Nerja-Guide")).toBeUndefined();
  expect(await ledTo("/old", "/old#part")).toBeUndefined();
});

test("what the editors say of an address comes before how it is written", async () => {
  expect(await ledTo("/Old", "/new")).toBe("/new");
});
