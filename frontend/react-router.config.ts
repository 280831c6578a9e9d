import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "@react-router/dev/config";
import { readManifest } from "./scripts/first-load.ts";

export default {
  ssr: true,
  buildDirectory: process.env.CATALOGUE === "1" ? "build-catalogue" : "build",
  // There are few routes, so the complete route map is part of the page, and `/__manifest` does not exist.
  routeDiscovery: { mode: "initial" },
  // Open pages poll this file to detect that they are of an older build.
  buildEnd({ reactRouterConfig: { buildDirectory } }) {
    const client = join(buildDirectory, "client");
    const { manifest } = readManifest(client);
    mkdirSync(join(client, "builds"), { recursive: true });
    writeFileSync(join(client, "builds/latest.json"), JSON.stringify({ id: manifest.version }));
  },
} satisfies Config;
