// Measures what a first visit loads, using the build. Fails if it exceeds the budget.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { firstLoad, readManifest, transferSize } from "./first-load.ts";

/** The budget in kilobytes on the wire. */
const BUDGET = { scripts: 130, styles: 15, fonts: 60 };
/** Larger script budgets: a home also has the enquiry form, an article its closing call to action. */
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
console.table([...table, { page: "at most", ...BUDGET }]);

const over = table.flatMap((row) =>
  (["scripts", "styles", "fonts"] as const).flatMap((kind) => {
    const max = (kind === "scripts" && MAX_SCRIPTS[row.page]) || BUDGET[kind];
    return row[kind] > max
      ? [`${row.page}: ${row[kind]} of ${kind}, where ${max} is the most`]
      : [];
  }),
);
for (const line of over) console.error(line);
process.exitCode = over.length > 0 ? 1 : 0;
