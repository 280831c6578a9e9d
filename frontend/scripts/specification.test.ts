import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const REPOSITORY = new URL("../..", import.meta.url).pathname;
const SKIPPED_FOLDERS = new Set([
  "node_modules",
  "target",
  "build",
  "build-catalogue",
  ".git",
  ".data",
]);

/** Returns every file and folder below `folder`, as paths within it. */
function listAll(folder: string): string[] {
  return readdirSync(join(REPOSITORY, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (SKIPPED_FOLDERS.has(entry.name)) return [];
    return entry.isDirectory() ? [path, ...listAll(path)] : [path];
  });
}

function tableRows(): string[] {
  const table = readFileSync(join(REPOSITORY, "frontend/tests/specification.md"), "utf8");
  return table.split("\n").filter((line) => line.startsWith("|"));
}

test("every file that the specification's table names exists", () => {
  const rows = tableRows();
  const code = rows.flatMap((row) => [...row.matchAll(/`([\w./-]+)`/g)].map(([, text]) => text));
  const ours = /^(app|services|scripts|tests|projections|deploy)\/|\.(tsx?|rs)$/;
  const named = code.filter((text): text is string => text !== undefined && ours.test(text));
  const journeys = rows.flatMap((row) =>
    [...row.matchAll(/e2e\/([\w-]+)/g)].map(([, name]) => `tests/e2e/${name}.test.ts`),
  );
  const paths = listAll("");
  const isThere = (name: string) =>
    paths.some((path) => path === name || path.endsWith(`/${name}`));
  expect(named.length).toBeGreaterThan(100);
  expect([...named, ...journeys].filter((name) => !isThere(name))).toEqual([]);
});

test("every test whose name the table quotes exists", () => {
  const paths = listAll("");
  const fileOf = (reference: string) => {
    const name = reference.replace(/^e2e\/(.*)$/, "tests/e2e/$1.test.ts");
    return paths.find((path) => path.endsWith(`/${name}`));
  };
  const quoted = tableRows().flatMap((row) => {
    const [, , tests = ""] = row.split(" |");
    // A file followed by the names of some of its tests.
    const groups = tests.matchAll(/(?:`([\w.-]+\.test\.tsx?)`|(e2e\/[\w-]+))((?:,? "[^"]+")+)/g);
    return [...groups].flatMap(([, beside, journey, names = ""]) =>
      Array.from(names.matchAll(/"([^"]+)"/g), ([, name = ""]) => [beside ?? journey ?? "", name]),
    );
  });
  expect(quoted.length).toBeGreaterThan(40);
  const missing = quoted.filter(([reference = "", name = ""]) => {
    const file = fileOf(reference);
    return !file || !readFileSync(join(REPOSITORY, file), "utf8").includes(`"${name}`);
  });
  expect(missing).toEqual([]);
  // A name without a file before it would not be checked.
  const all = tableRows().flatMap((row) => [...(row.split(" |")[2] ?? "").matchAll(/"[^"]+"/g)]);
  expect(quoted).toHaveLength(all.length);
});
