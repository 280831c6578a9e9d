import { serverResource } from "#app/lib/server/resource.server.ts";
import { robots } from "#app/lib/site/robots.ts";

/** It asks nothing: a crawler that is refused this file keeps away from the whole site. */
export const loader = serverResource("text/plain", async (_, { origin }) => robots(origin));
