import { addPlacePages } from "#app/features/search/place-addresses.ts";
import { partsOf, sitemapIndex } from "#app/features/sitemap/sitemap.ts";
import { apiQuery } from "#app/lib/query/api-query.ts";
import { serverResource } from "#app/lib/server/resource.server.ts";

export const loader = serverResource("application/xml", async (read, { origin }) => {
  const { items } = await read(apiQuery("/api/sitemap"));
  return sitemapIndex(partsOf(await addPlacePages(items, read)), origin);
});
