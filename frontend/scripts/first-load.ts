import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";

/** A route in the build's manifest: its script and the script's imports. */
interface RouteFiles {
  readonly module: string;
  readonly imports: readonly string[];
  readonly css: readonly string[];
  readonly clientLoaderModule?: string;
  readonly clientActionModule?: string;
  readonly hydrateFallbackModule?: string;
}

export interface BuildManifest {
  /** Changes when the build's content changes. */
  readonly version: string;
  readonly entry: { readonly module: string; readonly imports: readonly string[] };
  readonly routes: Readonly<Record<string, RouteFiles>>;
}

const MANIFEST_NAME = /^manifest-.*\.js$/;
const MANIFEST_START = "window.__reactRouterManifest=";

/** Reads the manifest of a client build, and its address, since browsers load it like any script. */
export function readManifest(folder: string): { manifest: BuildManifest; address: string } {
  const names = readdirSync(join(folder, "assets")).filter((name) => MANIFEST_NAME.test(name));
  const [name] = names;
  if (name === undefined || names.length > 1) {
    throw new Error(`${folder} holds ${names.length} builds: run \`npm run build\` first`);
  }
  const text = readFileSync(join(folder, "assets", name), "utf8");
  const start = text.indexOf(MANIFEST_START);
  if (start < 0)
    throw new Error(`${name} has no ${MANIFEST_START}: the router changed its manifest`);
  const json = text.slice(start + MANIFEST_START.length).replace(/;\s*$/, "");
  return { manifest: JSON.parse(json) as BuildManifest, address: `/assets/${name}` };
}

/** Returns the scripts and styles that a page of these nested routes loads before hydration. */
export function firstLoad(
  { entry, routes }: BuildManifest,
  ids: readonly string[],
): { scripts: string[]; styles: string[] } {
  const scripts = new Set([entry.module, ...entry.imports]);
  const styles = new Set<string>();
  for (const id of ids) {
    const route = routes[id];
    if (!route) throw new Error(`the build has no route ${id}`);
    for (const script of [
      route.module,
      route.clientLoaderModule,
      route.clientActionModule,
      route.hydrateFallbackModule,
      ...route.imports,
    ]) {
      if (script) scripts.add(script);
    }
    for (const style of route.css) styles.add(style.replace(/#$/, ""));
  }
  return { scripts: [...scripts], styles: [...styles] };
}

/** Formats that are already compressed are sent as they are. */
const COMPRESSED = [".woff2", ".png"];

/** Returns the bytes of a file on the wire, compressed as the site service compresses long-lived files. */
export function transferSize(name: string, content: Buffer): number {
  if (COMPRESSED.includes(extname(name))) return content.length;
  const quality = constants.BROTLI_MAX_QUALITY;
  return brotliCompressSync(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  }).length;
}
