import { expect, onTestFinished, test, vi } from "vitest";

/** The live status in an item's form, an extension of the content service's interface. */
const folder = new URL("../../deploy/directus/extensions/almijara-live/dist/", import.meta.url);
const load = (file: string) => import(/* @vite-ignore */ new URL(file, folder).href);
const { answers } = await load("answered.js");
const { nameOfField } = await load("names.js");
const { readRow, UNREADABLE } = await load("reading.js");

const COLUMNS = [
  { field: "kind", name: "Estancia" },
  { field: "m2", name: "Superficie (m²)" },
];
const FIELDS: Record<string, object> = {
  "properties.price": { name: "Precio" },
  "properties.images": { name: "Fotografías" },
  "properties.floor_plan": { name: "Plano" },
  "properties.rooms": { name: "Estancias", meta: { options: { fields: COLUMNS } } },
  "properties_translations.title": { name: "Título" },
};
const fields = { getField: (of: string, field: string) => FIELDS[`${of}.${field}`] ?? null };

test.for([
  ["price", "Precio"],
  ["unheard_of", "unheard_of"],
  ["translations.es-ES.title", "Título (es-ES)"],
  ["translations.title", "Título"],
  ["images[2]", "Fotografías 2"],
  ["rooms[3].m2", "Estancias 3, Superficie (m²)"],
  ["rooms[12].kind", "Estancias 12, Estancia"],
  ["rooms[1].unheard_of", "Estancias 1, unheard_of"],
  // As an older build of sync reports it.
  ["rooms.kind", "Estancias"],
  ["images.0f8470da-8519-4420-8d5d-ae4d58b58e5f.width", "Fotografías"],
  ["floor_plan.width", "Plano"],
  ["", ""],
] as const)("the field at “%s” is named “%s”", ([path, name]) => {
  expect(nameOfField(fields, "properties", path)).toBe(name);
});

test("an editor who may not read the live status is told so, and nothing is requested", async () => {
  const get = vi.fn(async () => ({ data: { data: [{ state: "live" }] } }));
  const item = { collection: "properties", primaryKey: 7 };
  const may = vi.fn(() => false);
  const ask = () => readRow({ get }, { hasPermission: may }, item);
  expect(await ask()).toEqual({ state: UNREADABLE });
  expect(may).toHaveBeenCalledWith("live_status", "read");
  expect(get).not.toHaveBeenCalled();
  may.mockReturnValue(true);
  expect(await ask()).toEqual({ state: "live" });
});

const ITEM = { collection: "properties", primaryKey: 7 };
const REPORTED = { state: "live", noted_at: "2026-07-01T10:32:00.140Z" };

/** The answers of a Directus in which the item was `saved`, or not, after it was reported. */
function answersOf(saved: { after: boolean }, mayRead = true) {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const get = vi.fn(async (_path: string, _how: { params: { filter: string } }) => ({
    data: { data: saved.after ? [{ id: 1 }] : [] },
  }));
  return { get, ...answers({ get }, { hasPermission: () => mayRead }) };
}

test("a status from before the last save is overdue after a while, until a newer one arrives", async () => {
  const saved = { after: false };
  const { get, isOverdue } = answersOf(saved);
  const later = (seconds: number) => vi.advanceTimersByTime(seconds * 1_000);
  expect(await isOverdue(REPORTED, ITEM)).toBe(false);
  const asked = JSON.parse(get.mock.calls[0]?.[1].params.filter ?? "{}");
  // The clocks of two servers may differ a little.
  expect(asked.timestamp).toEqual({ _gt: "2026-07-01T10:32:02.140Z" });
  later(60);
  expect(await isOverdue(REPORTED, ITEM)).toBe(false);
  saved.after = true;
  later(5);
  expect(await isOverdue(REPORTED, ITEM)).toBe(false);
  later(10);
  expect(await isOverdue(REPORTED, ITEM)).toBe(true);
  expect(await isOverdue({ ...REPORTED, state: "not_live" }, ITEM)).toBe(false);
  expect(await isOverdue(REPORTED, ITEM)).toBe(true);
  saved.after = false;
  expect(await isOverdue({ ...REPORTED, noted_at: "2026-07-01T11:00:00.140Z" }, ITEM)).toBe(false);
  expect(await isOverdue(null, ITEM)).toBe(false);
});

test("an item that was reported at the same moment is not confused with another", async () => {
  const saved = { after: true };
  const { isOverdue, forget } = answersOf(saved);
  await isOverdue(REPORTED, ITEM);
  vi.advanceTimersByTime(10_000);
  expect(await isOverdue(REPORTED, ITEM)).toBe(true);
  saved.after = false;
  forget();
  expect(await isOverdue(REPORTED, { ...ITEM, primaryKey: 8 })).toBe(false);
});

test("an answer that arrives after the next item was opened is ignored", async () => {
  const { get, isOverdue, forget } = answersOf({ after: false });
  const late = Promise.withResolvers<{ data: { data: { id: number }[] } }>();
  get.mockReturnValueOnce(late.promise);
  const first = isOverdue(REPORTED, ITEM);
  forget();
  const next = { ...ITEM, primaryKey: 8 };
  expect(await isOverdue(REPORTED, next)).toBe(false);
  late.resolve({ data: { data: [{ id: 1 }] } });
  await first;
  vi.advanceTimersByTime(20_000);
  expect(await isOverdue(REPORTED, next)).toBe(false);
});

test("the last save is not requested on each poll, nor for an editor without permission", async () => {
  const may = answersOf({ after: false });
  for (let turn = 0; turn < 20; turn += 1) {
    await may.isOverdue(REPORTED, ITEM);
    vi.advanceTimersByTime(500);
  }
  expect(may.get).toHaveBeenCalledTimes(2);
  const mayNot = answersOf({ after: true }, false);
  await mayNot.isOverdue(REPORTED, ITEM);
  vi.advanceTimersByTime(60_000);
  expect(await mayNot.isOverdue(REPORTED, ITEM)).toBe(false);
  expect(mayNot.get).not.toHaveBeenCalled();
});
