/**
 * What is nobody's to find: the visitors' own pages, the API, previews. Not the pages to sign in and up,
 * which say `noindex` themselves: who may not read a page can't know that.
 */
const PRIVATE = ["/api/", "/account", "/preview", "/save-search"];

/** Ways of looking at a list that are no lists of their own. */
const VIEWS = ["sort", "perPage", "view", "bbox"];

/**
 * What crawlers are asked. Filtered lists may be followed: they name the whole list as the one to
 * keep, and lead to homes. Orders and views of them show nothing else, and are left alone.
 */
export function robots(origin: string): string {
  const each = (path: string) => [`Disallow: ${path}`, `Disallow: /es${path}`];
  return [
    "User-agent: *",
    ...PRIVATE.flatMap((path) => (path === "/api/" ? [`Disallow: ${path}`] : each(path))),
    ...VIEWS.flatMap((name) => [`Disallow: /*?${name}=`, `Disallow: /*&${name}=`]),
    "",
    `Sitemap: ${origin}/sitemap.xml`,
    "",
  ].join("\n");
}
