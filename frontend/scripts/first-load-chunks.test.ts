import { expect, test } from "vitest";
import { firstLoadChunks } from "./first-load-chunks.ts";

/** Returns the chunk that a module belongs to. */
const chunkOf = (id: string) =>
  firstLoadChunks()
    .toSorted((one, other) => (other.priority ?? 0) - (one.priority ?? 0))
    .find(({ test }) => test.test(id))?.name;

test("a module is in the chunk that names it", () => {
  expect(chunkOf("/site/app/ui/prose.tsx")).toBe("shell");
  expect(chunkOf("/site/app/routes/layout.tsx?a-query-of-the-router")).toBe("shell");
  expect(chunkOf("/site/app/ui/field.tsx")).toBe("fields");
  expect(chunkOf("/site/app/ui/file-field.tsx")).toBeUndefined();
  expect(chunkOf("/site/node_modules/react-dom/client.js")).toBe("libraries");
  expect(chunkOf("/site/node_modules/react-something/index.js")).toBeUndefined();
});

test("a module that was moved ends the build, instead of leaving its chunk", () => {
  expect(() => firstLoadChunks({ shell: ["ui/prose.tsx", "ui/moved.tsx"] })).toThrow(
    "ui/moved.tsx",
  );
});
