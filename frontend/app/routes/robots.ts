import { serverResource } from "#app/lib/server/resource.server.ts";
import { robots } from "#app/lib/site/robots.ts";

/** Serves robots.txt without any backend request: a crawler that gets an error here avoids the whole site. */
export const loader = serverResource("text/plain", async (_, { origin }) => robots(origin));
