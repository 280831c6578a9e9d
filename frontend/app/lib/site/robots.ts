/**
 * What is nobody's to find: the visitors' own pages, the API, previews. Not the pages to sign in and up,
 * which say `noindex` themselves: who may not read a page can't know that.
 */
const PRIVATE = ["/account", "/preview", "/save-search"];

/** Ways of looking at a list that are no lists of their own. */
const VIEWS = ["sort", "perPage", "view", "bbox"];

/**
 * What crawlers are asked. Filtered lists may be followed: they name the whole list as the one to
 * keep, and lead to homes. Orders and views of them show nothing else, and are left alone.
 */
export function robots(origin: string): string {
  // The page, all below it and all its views: a rule is a beginning, and guides may begin alike.
  const each = (path: string) => ["$", "/", "?"].map((end) => `Disallow: ${path}${end}`);
  return [
    "User-agent: *",
    "Disallow: /api/",
    ...PRIVATE.flatMap((path) => [...each(path), ...each(`/es${path}`)]),
    ...VIEWS.flatMap((name) => [`Disallow: /*?${name}=`, `Disallow: /*&${name}=`]),
    "",
    `Sitemap: ${origin}/sitemap.xml`,
    "",
  ].join("\n");
}
