// What a first visit loads, measured on the build; fails when it is more than was promised.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { firstLoad, readManifest, transferSize } from "./first-load.ts";

/** Thousands of bytes on the wire. */
const MOST = { scripts: 130, styles: 15, fonts: 60 };
/** A home has the form of an enquiry besides, an article the call that it ends in. */
const MAX_SCRIPTS: Record<string, number> = { property: 143, article: 131 };

const FRAME = ["root", "routes/layout"];
const PAGES = {
  home: "routes/home",
  list: "routes/property-list",
  property: "routes/property-detail",
  article: "routes/article",
};

const client = new URL("../build/client", import.meta.url).pathname;
const { manifest, address } = readManifest(client);

const sizes = new Map<string, number>();
function size(path: string): number {
  const known = sizes.get(path) ?? transferSize(path, readFileSync(join(client, path)));
  sizes.set(path, known);
  return known;
}
const sum = (paths: readonly string[]) => paths.reduce((total, path) => total + size(path), 0);
const thousands = (bytes: number) => Number((bytes / 1_000).toFixed(1));

const fonts = readdirSync(join(client, "assets"))
  .filter((name) => name.endsWith(".woff2"))
  .map((name) => `/assets/${name}`);

const table = Object.entries(PAGES).map(([page, route]) => {
  const { scripts, styles } = firstLoad(manifest, [...FRAME, route]);
  return {
    page,
    files: scripts.length + 1,
    scripts: thousands(sum([address, ...scripts])),
    styles: thousands(sum(styles)),
    fonts: thousands(sum(fonts)),
  };
});

console.log("First load, thousands of bytes in Brotli:");
console.table([...table, { page: "at most", ...MOST }]);

const over = table.flatMap((row) =>
  (["scripts", "styles", "fonts"] as const).flatMap((kind) => {
    const most = (kind === "scripts" && MAX_SCRIPTS[row.page]) || MOST[kind];
    return row[kind] > most
      ? [`${row.page}: ${row[kind]} of ${kind}, where ${most} is the most`]
      : [];
  }),
);
for (const line of over) console.error(line);
process.exitCode = over.length > 0 ? 1 : 0;
