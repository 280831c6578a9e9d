import { serverResource } from "#app/lib/server/resource.server.ts";
import { settingsOf, siteQuery } from "#app/lib/site/site-query.ts";
import { webManifest } from "#app/lib/site/web-manifest.ts";

export const loader = serverResource("application/manifest+json", async (read, { locale }) =>
  JSON.stringify(webManifest(settingsOf(await read(siteQuery(locale))), locale)),
);
