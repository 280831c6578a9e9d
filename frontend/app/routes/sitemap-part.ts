import { addPlacePages } from "#app/features/search/place-addresses.ts";
import { partPath, partsOf, sitemapPart } from "#app/features/sitemap/sitemap.ts";
import { apiQuery } from "#app/lib/query/api-query.ts";
import { serverResource } from "#app/lib/server/resource.server.ts";

export const loader = serverResource("application/xml", async (read, { origin, url }) => {
  const { items } = await read(apiQuery("/api/sitemap"));
  const part = partsOf(await addPlacePages(items, read)).find(
    (each) => partPath(each) === url.pathname,
  );
  return part && sitemapPart(part, origin);
});
