import { matchRoutes, type RouteObject } from "react-router";
import { expect } from "vitest";
import routes from "../../app/routes.ts";
import { anyProperty, ask, listed } from "./site.ts";

/** The pages of one template: a route, and the addresses that it answers. */
export type Template = readonly [route: string, addresses: readonly string[]];

type Entries = typeof routes;

function objectsOf(entries: Entries): RouteObject[] {
  return entries.map(({ id, file, path, index, children }) => {
    const common = { id: id ?? file, ...(path === undefined ? {} : { path }) };
    return index
      ? { ...common, index: true as const }
      : { ...common, children: objectsOf(children ?? []) };
  });
}

/** The routes that show a page: those without others under them; what is no component is no page. */
function pagesOf(entries: Entries): Entries {
  return entries.flatMap((entry) =>
    entry.children?.length ? pagesOf(entry.children) : entry.file.endsWith(".tsx") ? [entry] : [],
  );
}

/** Every page's route with all that stands under it: what the editors wrote, and what only it knows. */
export async function everyTemplate(): Promise<Template[]> {
  const objects = objectsOf(routes);
  const pages = pagesOf(routes);
  const found = new Map(
    pages.map(({ id, file, path }) => [id ?? file, { path: path ?? "/", at: new Set<string>() }]),
  );
  const alone = pages
    .map(({ path }) => path)
    .filter((path) => path !== undefined && !/[:*]/.test(path))
    .map((path) => `/${path}`);
  for (const address of [...alone, ...(await examples()), ...(await written())]) {
    const [pathname = ""] = address.split("?");
    found.get(matchRoutes(objects, pathname)?.at(-1)?.route.id ?? "")?.at.add(address);
  }
  return [...found.values()].map(({ path, at }) => [path, [...at]] as const);
}

/** The address of the same page in Spanish. */
export const spanish = (path: string) => `/es${path}`.replace(/\/(?=\?|$)/, "");

/** What the sitemap lists, but for the homes: one template shows them all. */
async function written(): Promise<string[]> {
  const response = await ask("/api/sitemap");
  expect(response.status).toBe(200);
  const { items } = (await response.json()) as { items: { path: string }[] };
  return items.map(({ path }) => path).filter((path) => !/^\/property-for-sale\/.+\//.test(path));
}

/** What no list of addresses holds. */
async function examples(): Promise<string[]> {
  const [sold] = await listed("&status=sold");
  return [
    (await anyProperty()).path,
    `/property-for-sale/${sold?.location.slug}/${sold?.ref}`,
    "/property-for-sale?propertyType=House&page=2",
    "/property-for-sale?q=nothing-is-called-so",
    "/nothing/here",
  ];
}
