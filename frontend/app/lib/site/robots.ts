import { localizedPath } from "#app/lib/i18n/locale.ts";

/**
 * Paths that search engines must not index: the visitors' own pages, the API, previews. The sign-in and
 * sign-up pages are not listed, since they send `noindex` themselves: a crawler that may not read a page
 * can't see that.
 */
const PRIVATE = ["/account", "/preview", "/save-search"];

/** Parameters that change only how a list is shown. */
const VIEW_PARAMETERS = ["sort", "perPage", "view", "bbox"];

/**
 * Returns the text of `robots.txt`. Filtered lists may be crawled: they name the complete list as canonical,
 * and lead to homes. Sorted lists and other views show nothing more, and are excluded.
 */
export function robots(origin: string): string {
  // The page itself, all paths below it and all its query strings. A rule matches by prefix, and the path of
  // a guide may begin in the same way.
  const each = (path: string) => ["$", "/", "?"].map((end) => `Disallow: ${path}${end}`);
  return [
    "User-agent: *",
    "Disallow: /api/",
    ...PRIVATE.flatMap((path) => [...each(path), ...each(localizedPath("es", path))]),
    ...VIEW_PARAMETERS.flatMap((name) => [`Disallow: /*?${name}=`, `Disallow: /*&${name}=`]),
    "",
    `Sitemap: ${origin}/sitemap.xml`,
    "",
  ].join("\n");
}
