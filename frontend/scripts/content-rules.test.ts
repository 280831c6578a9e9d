import { expect, test } from "vitest";

/** The rules of the content service that hold on saving, an extension of it. */
const rules = new URL(
  "../../deploy/directus/extensions/almijara-rules/dist/published.js",
  import.meta.url,
).href;
const { holdRules } = await import(/* @vite-ignore */ rules);

type Row = Record<string, unknown>;
type Context = { database: (table: string) => Query };
type Filter = (payload: unknown, meta: { keys?: unknown[] }, context: Context) => unknown;

/** Imitates a query of Directus's database. Keys are compared like Postgres does: "1" is 1. */
class Query {
  readonly #rows: Row[];

  constructor(rows: Row[]) {
    this.#rows = rows;
  }

  whereIn(field: string, values: unknown[]) {
    const keys = values.map(String);
    return new Query(this.#rows.filter((row) => keys.includes(String(row[field]))));
  }

  async select(...names: unknown[]) {
    return this.#rows.map((row) =>
      Object.fromEntries(names.flat().map((name) => [name, row[`${name}`]])),
    );
  }

  async pluck(field: string) {
    return this.#rows.map((row) => row[field]);
  }
}

const filters = new Map<string, Filter>();
holdRules((event: string, filter: Filter) => filters.set(event, filter));

/** Returns what is refused of a save: the fields of one item, or the message about several. */
async function refused(
  event: string,
  payload: unknown,
  tables: Record<string, Row[]>,
  keys?: unknown[],
) {
  const database = (table: string) => new Query(tables[table] ?? []);
  try {
    await filters.get(event)?.(payload, keys ? { keys } : {}, { database });
    return [];
  } catch (errors) {
    return (errors as { message: string; extensions: { field?: string } }[]).map(
      ({ message, extensions }) => extensions.field ?? message,
    );
  }
}

const ENGLISH = { languages_code: "en-GB", title: "A house" };
const HOME = { status: "published", ref: "A-1", kind: "villa", energy_rating: "C", location: 4 };

test.for([
  [{ ...HOME, translations: [ENGLISH] }, []],
  [
    {
      ...HOME,
      translations: { create: [{ languages_code: { code: "es-ES" }, title: "Una casa" }] },
    },
    [],
  ],
  [{ ...HOME, location: { slug: "nerja" }, translations: [ENGLISH] }, []],
  [{ ...HOME, kind: "land", energy_rating: null, translations: [ENGLISH] }, []],
  [{ kind: "villa" }, []],
  [{ ...HOME, status: "draft", location: null }, []],
  [HOME, ["translations"]],
  [{ ...HOME, translations: [] }, ["translations"]],
  [{ ...HOME, translations: [{ ...ENGLISH, title: "  " }] }, ["translations"]],
  [{ ...HOME, translations: [{ languages_code: "de-DE", title: "Ein Haus" }] }, ["translations"]],
  [{ ...HOME, location: null, translations: [ENGLISH] }, ["location"]],
  [{ status: "published", kind: "villa" }, ["location", "energy_rating", "translations"]],
] as const)("a new home %j lacks %j", async ([home, lacks]) => {
  expect(await refused("properties.items.create", home, {})).toEqual(lacks);
});

/** Two homes with a text in either language, and a draft whose only text has no title. */
const TABLES = {
  properties: [
    { ...HOME, id: 1 },
    { ...HOME, id: 2, ref: "A-2" },
    { ...HOME, id: 3, ref: "A-3", status: "draft", location: null },
  ],
  properties_translations: [
    { ...ENGLISH, id: 11, properties_id: 1 },
    { id: 12, properties_id: 1, languages_code: "es-ES", title: "Una casa" },
    { ...ENGLISH, id: 21, properties_id: 2 },
    { id: 31, properties_id: 3, languages_code: "en-GB", title: null, summary: "To be written" },
  ],
};

test.for([
  [["1"], { price: 1 }, []],
  [["3"], { price: 1 }, []],
  [["3"], { status: "archived" }, []],
  [["3"], { status: "published" }, ["location", "translations"]],
  [["3"], { status: "published", location: 4 }, ["translations"]],
  [["3"], { status: "published", location: 4, translations: { create: [ENGLISH] } }, []],
  [
    ["3"],
    { status: "published", location: 4, translations: { update: [{ id: 31, title: "A" }] } },
    [],
  ],
  [["3"], { status: "published", location: 4, translations: [{ id: 31, title: "A" }] }, []],
  [
    ["3"],
    { status: "published", location: 4, translations: { create: [], delete: [31] } },
    ["translations"],
  ],
  [["1"], { energy_rating: "exempt" }, ["energy_exemption"]],
] as const)("homes %j saved with %j lack %j", async ([keys, change, lacks]) => {
  expect(await refused("properties.items.update", change, TABLES, [...keys])).toEqual(lacks);
});

test("of several items those are named that lack something", async () => {
  const messages = await refused(
    "properties.items.update",
    { status: "published" },
    TABLES,
    [1, 2, 3],
  );
  expect(messages).toEqual([
    "A-3: no place · falta la zona",
    "A-3: no title or name in English or Spanish · falta el título o el nombre en inglés o en español",
  ]);
  expect(Math.max(...messages.map((message) => message.length))).toBeLessThan(200);
});

test.for([
  [["11"], []],
  [[11, "12"], ["translations"]],
  [[21], ["translations"]],
  // The text of a draft.
  [["31"], []],
] as const)("texts %j are deleted, and %j is lacking", async ([keys, lacks]) => {
  expect(await refused("properties_translations.items.delete", [...keys], TABLES)).toEqual(lacks);
});

test("of several items those are named that would lose their last text", async () => {
  const messages = await refused("properties_translations.items.delete", [12, 21], TABLES);
  expect(messages).toEqual([expect.stringMatching(/^A-2: no title/)]);
});

test("each published item needs the text that names it", async () => {
  for (const [collection, text] of [
    ["locations", "name"],
    ["articles", "title"],
    ["pages", "title"],
    ["docs", "title"],
    ["team", "role"],
    ["navigation", "label"],
  ]) {
    const event = `${collection}.items.create`;
    const saved = (row: Row) => ({
      status: "published",
      translations: [{ languages_code: "es-ES", ...row }],
    });
    expect(await refused(event, saved({ [`${text}`]: "Nerja" }), {})).toEqual([]);
    expect(await refused(event, saved({ summary: "Junto al mar" }), {})).toEqual(["translations"]);
  }
});
