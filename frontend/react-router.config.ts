import type { Config } from "@react-router/dev/config";

export default {
  ssr: true,
  // All routes are few and small: the whole map travels with the page, and no `/__manifest` exists.
  routeDiscovery: { mode: "initial" },
} satisfies Config;
