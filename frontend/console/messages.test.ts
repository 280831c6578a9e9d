import { expect, test } from "vitest";

/** All message modules of the console. */
const modules = import.meta.glob<Record<string, Record<string, object>>>(
  "/console/**/*messages.ts",
  { eager: true },
);

test("every text is written in both languages", () => {
  const messages = Object.entries(modules).flatMap(([file, exported]) =>
    Object.entries(exported).map(([name, { en, es }]) => ({ name: `${file} ${name}`, en, es })),
  );
  expect(messages.length).toBeGreaterThan(9);
  for (const { name, en, es } of messages) {
    expect([name, Object.keys(es ?? {})]).toEqual([name, Object.keys(en ?? {})]);
    expect([name, Object.values(es ?? {}).filter((text) => text === "")]).toEqual([name, []]);
  }
});
