import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const REPOSITORY = new URL("../..", import.meta.url).pathname;
const NOT_OURS = new Set(["node_modules", "target", "build", "build-catalogue", ".git", ".data"]);

/** Every file and folder below `folder`, as paths within it. */
function everything(folder: string): string[] {
  return readdirSync(join(REPOSITORY, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (NOT_OURS.has(entry.name)) return [];
    return entry.isDirectory() ? [path, ...everything(path)] : [path];
  });
}

test("what the table of the specification names is there", () => {
  const table = readFileSync(join(REPOSITORY, "frontend/tests/specification.md"), "utf8");
  const rows = table.split("\n").filter((line) => line.startsWith("|"));
  const code = rows.flatMap((row) => [...row.matchAll(/`([\w./-]+)`/g)].map(([, text]) => text));
  const ours = /^(app|services|scripts|tests|projections|deploy)\/|\.(tsx?|rs)$/;
  const named = code.filter((text): text is string => text !== undefined && ours.test(text));
  const journeys = rows.flatMap((row) =>
    [...row.matchAll(/e2e\/([\w-]+)/g)].map(([, name]) => `tests/e2e/${name}.test.ts`),
  );
  const paths = everything("");
  const isThere = (name: string) =>
    paths.some((path) => path === name || path.endsWith(`/${name}`));
  expect(named.length).toBeGreaterThan(100);
  expect([...named, ...journeys].filter((name) => !isThere(name))).toEqual([]);
});
