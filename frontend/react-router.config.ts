import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "@react-router/dev/config";
import { readManifest } from "./scripts/first-load.ts";

export default {
  ssr: true,
  buildDirectory: process.env.CATALOGUE === "1" ? "build-catalogue" : "build",
  // All routes are few and small: the whole map travels with the page, and no `/__manifest` exists.
  routeDiscovery: { mode: "initial" },
  // Open pages ask for it, and so learn that they are of an older build.
  buildEnd({ reactRouterConfig: { buildDirectory } }) {
    const client = join(buildDirectory, "client");
    const { manifest } = readManifest(client);
    mkdirSync(join(client, "builds"), { recursive: true });
    writeFileSync(join(client, "builds/latest.json"), JSON.stringify({ id: manifest.version }));
  },
} satisfies Config;
