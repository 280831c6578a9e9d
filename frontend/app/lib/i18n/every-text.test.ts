import { expect, test, vi } from "vitest";

type Defined = Record<"en" | "es", Record<string, unknown>>;

const defined = vi.hoisted(() => [] as Defined[]);

vi.mock("#app/lib/i18n/messages.ts", async (load) => ({
  ...(await load<typeof import("./messages.ts")>()),
  defineMessages: (messages: Defined) => {
    defined.push(messages);
    return messages;
  },
}));

const sources = import.meta.glob<string>(
  ["/app/**/*.{ts,tsx}", "/console/**/*.{ts,tsx}", "!**/*.test.{ts,tsx}"],
  { query: "?raw", import: "default", eager: true },
);
const modules = import.meta.glob(["/app/**/*.{ts,tsx}", "/console/**/*.{ts,tsx}"]);

test("every text of the pages and of the console is written in both languages", async () => {
  const calls = (source: string) =>
    source.match(/= (?:\/\*.*\*\/ )?defineMessages[<(]/g)?.length ?? 0;
  const files = Object.keys(sources).filter((file) => calls(sources[file] ?? "") > 0);
  for (const file of files) await modules[file]?.();
  expect(defined.length).toBe(files.reduce((sum, file) => sum + calls(sources[file] ?? ""), 0));
  for (const { en, es } of defined) {
    expect(Object.keys(es)).toEqual(Object.keys(en));
    const empty = [en, es].flatMap(Object.entries).filter(([, text]) => text === "");
    expect(empty).toEqual([]);
  }
}, 60_000);
