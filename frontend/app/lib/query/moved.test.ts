import { expect, test } from "vitest";
import { ApiError } from "#app/lib/api/answer.ts";
import { localeOf } from "#app/lib/i18n/locale.ts";
import { movedFrom } from "./moved.ts";
import { notFound, type Read } from "./page.ts";

/**
 * Returns where a visitor of `path` is redirected, if that path, or only `from`, has moved to `to`; nothing
 * has moved without `to`.
 */
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

/**
 * Returns where a visitor of `path` is redirected by `redirects`, if the API has content for the pages at
 * `pages`.
 */
async function ledBy(
  redirects: Readonly<Record<string, string>>,
  path: string,
  pages: readonly string[] = [],
): Promise<string | null | undefined> {
  const read = (async ({ queryKey: [address] }: { queryKey: [string] }) => {
    const { pathname, searchParams } = new URL(address, "https://api.example");
    const to = redirects[searchParams.get("path") ?? ""];
    if (pathname === "/api/moved" && to !== undefined) return { to, code: 301 };
    if (pages.includes(pathname)) return {};
    throw new ApiError(404, "there is none");
  }) as unknown as Read;
  const url = new URL(path, "https://site.example");
  const address = { locale: localeOf(url.pathname), params: {}, url };
  const moved = await movedFrom(read, address, notFound());
  return moved instanceof Response ? moved.headers.get("location") : undefined;
}

test("nobody is redirected within a loop, nor into one", async () => {
  const two = { "/a": "/b?x=1#y", "/b": "/a" };
  expect(await ledBy(two, "/a")).toBeUndefined();
  expect(await ledBy(two, "/es/b")).toBeUndefined();
  const three = { "/a": "/es/b", "/b": "/C", "/c": "/a" };
  for (const path of ["/a", "/b", "/C", "/es/a"]) {
    expect([path, await ledBy(three, path)]).toEqual([path, undefined]);
  }
  expect(await ledBy({ ...three, "/in": "/a" }, "/in")).toBeUndefined();
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`/${at}`, `/${at + 1}`]));
  expect(await ledBy(many, "/0")).toBeUndefined();
  expect(await ledBy(many, "/30")).toBe("/31");
});

test("a loop that contains a page leads to it: the page was given its former address again", async () => {
  for (const [now, former, known] of [
    ["/guide", "/guia", "/api/pages/guide"],
    ["/news/market", "/news/fair", "/api/articles/market"],
    ["/docs/buying/costs", "/docs/costs", "/api/docs/buying/costs"],
    ["/docs", "/documentation", "/api/docs"],
    ["/property-for-sale/maro", "/property-for-sale/nerja", "/api/locations/maro"],
    ["/property-for-sale/x/AH-1", "/property-for-sale/x/AH-9", "/api/properties/AH-1/comparable"],
    ["/property-for-sale", "/homes", ""],
    ["/", "/home", ""],
  ] as const) {
    const ring = { [now]: former, [former]: now };
    expect([now, await ledBy(ring, former, [known])]).toEqual([now, now]);
    if (known) expect([now, await ledBy(ring, former)]).toEqual([now, undefined]);
  }
});

test("the search in a place continues in the place that it was merged into", async () => {
  const places = { "/property-for-sale/old": "/property-for-sale/new", "/old": "/new" };
  const search = "?maxPrice=400000&page=3&propertyType=House";
  const kept = "?maxPrice=400000&propertyType=House";
  for (const language of ["", "/es"]) {
    const led = await ledBy(places, `${language}/property-for-sale/old${search}`);
    expect(led).toBe(`${language}/property-for-sale/new${kept}`);
  }
  expect(await ledBy(places, "/old?page=3")).toBe("/new");
  const chosen = { "/property-for-sale/old": "/property-for-sale?location=a&location=b" };
  expect(await ledBy(chosen, "/property-for-sale/old?page=2")).toBe(
    "/property-for-sale?location=a&location=b",
  );
});

test("a redirect to an address with an accent is escaped", async () => {
  const search = "/property-for-sale?q=ático";
  expect(await ledTo("/old", search)).toBe("/property-for-sale?q=%C3%A1tico");
  expect(await ledTo("/es/old", search)).toBe("/es/property-for-sale?q=%C3%A1tico");
  expect(await ledTo("/old", "/precios/玄関#más")).toBe("/precios/%E7%8E%84%E9%96%A2#m%C3%A1s");
  expect(await ledTo("/old", "https://otro.example/año")).toBe("https://otro.example/a%C3%B1o");
  expect(await ledTo("/old", "https://site.example/new")).toBe("/new");
});

test("no address redirects to itself, however it is written, or to an invalid address", async () => {
  expect(await ledTo("/pe%C3%B1oncillo", "/peñoncillo")).toBeUndefined();
  expect(await ledTo("/old", "https://")).toBeUndefined();
});

test("an address in capitals redirects to its lower-case form, with its query", async () => {
  expect(await ledTo("/Login")).toBe("/login");
  expect(await ledTo("/ES")).toBe("/es");
  const search = "?q=Casa&sort=price-asc";
  expect(await ledTo(`/ES/Property-For-Sale${search}`)).toBe(`/es/property-for-sale${search}`);
  expect(await ledTo("/NEWS/A-FINCA.XML")).toBe("/news/a-finca.xml");
});

test("a home's reference and percent-escapes keep their capitals, and cause no redirect", async () => {
  const home = "/property-for-sale/nerja/AH-9700";
  expect(await ledTo(home)).toBeUndefined();
  expect(await ledTo(`/es${home}`)).toBeUndefined();
  expect(await ledTo("/ES/Property-For-Sale/Nerja/AH-9700/Sheet.PDF")).toBe(`/es${home}/sheet.pdf`);
  expect(await ledTo("/pe%C3%B1oncillo")).toBeUndefined();
  expect(await ledTo("/Pe%C3%B1oncillo")).toBe("/pe%C3%B1oncillo");
});

test("an address that the editors moved to capitals is not redirected back", async () => {
  const guide = (path: string) => ledTo(path, "/Nerja-Guide", "/nerja-guide");
  expect(await guide("/nerja-guide")).toBe("/Nerja-Guide");
  expect(await guide("/NERJA-GUIDE")).toBe("/Nerja-Guide");
  expect(await guide("/Nerja-Guide")).toBeUndefined();
  expect(await ledTo("/old", "/old#part")).toBeUndefined();
});

test("the editors' redirect takes precedence over the lower-case form", async () => {
  expect(await ledTo("/Old", "/new")).toBe("/new");
});
