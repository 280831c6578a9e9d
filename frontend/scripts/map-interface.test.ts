import { expect, onTestFinished, test, vi } from "vitest";
import * as municipalities from "../app/features/map/municipalities.gen.ts";
import * as site from "../app/lib/map/projection.ts";
import * as shore from "../app/lib/map/shore.gen.ts";

/** Replaces the Studio's Vue: a test calls the watchers itself. */
const watched = vi.hoisted(() => vi.fn());
vi.mock("vue", () => ({
  computed: (get: () => unknown) => ({
    get value() {
      return get();
    },
  }),
  onBeforeUnmount: (stop: () => void) => onTestFinished(stop),
  ref: (value?: unknown) => ({ value }),
  watch: watched,
}));

/** The map on which editors set pins, an extension of the content service's interface. */
const folder = new URL("../../deploy/directus/extensions/almijara-map/dist/", import.meta.url);
const load = (file: string) => import(/* @vite-ignore */ new URL(file, folder).href);
const { parse, spotOf, written } = await load("coordinates.js");
const { formTeller } = await load("form.js");
const { usePin } = await load("pin.js");
const projection = await load("projection.js");
const { readPlaces, titleOf, whereabouts } = await load("places.js");
const { WORDS } = await load("words.js");

const BOX = { width: 800, height: 400 };
const VIEW = { centre: site.project({ lat: 36.75, lng: -3.9 }), zoom: 12.5 };
const NERJA = { lat: 36.7497, lng: -3.8724 };

test.for([
  ["36.7497, -3.8724", NERJA],
  ["36.7497 -3.8724", NERJA],
  ["  (36.7497,-3.8724) ", NERJA],
  ["36,7497, -3,8724", NERJA],
  ["36,7497; −3,8724", NERJA],
  ["36.7497° N, 3.8724° W", NERJA],
  ["N36.7497 W3.8724", NERJA],
  ["3.8724 O; 36.7497 N", NERJA],
  ["37, -4", { lat: 37, lng: -4 }],
  [`36°45'0"N 3°52'30"W`, { lat: 36.75, lng: -3.875 }],
  ["36° 45′ 0.0″ N, 3° 52′ 30.0″ O", { lat: 36.75, lng: -3.875 }],
  // Parsing accepts it; the range is checked elsewhere.
  ["999, 3", { lat: 999, lng: 3 }],
] as const)("“%s” is read as coordinates", ([text, spot]) => {
  const found = parse(text);
  expect(found.lat).toBeCloseTo(spot.lat, 9);
  expect(found.lng).toBeCloseTo(spot.lng, 9);
});

test.for([
  "",
  "Nerja",
  "36.7497",
  "36,7497",
  "36.7497, -3.8724, 12",
  "36.7 N, 3.8 S",
  "N 36.7 N, 3.8",
  "36.7497, -3.8724 metres",
  `36.7,${" ".repeat(200)}3`,
])("“%s” is not read as coordinates", (text) => {
  expect(parse(text)).toBeUndefined();
});

test("a form's two values are a spot, or the reason why not is given", () => {
  expect(spotOf("36.749700", -3.8724)).toEqual({ spot: NERJA });
  expect(spotOf(0, 0)).toEqual({ spot: { lat: 0, lng: 0 } });
  expect(spotOf(null, undefined)).toEqual({ reason: "empty" });
  expect(spotOf("", "-3.8")).toEqual({ reason: "missing", field: "lat" });
  expect(spotOf("36.7", null)).toEqual({ reason: "missing", field: "lng" });
  expect(spotOf("90", "-180")).toEqual({ spot: { lat: 90, lng: -180 } });
  expect(spotOf("90.000001", "-180")).toEqual({ reason: "beyond", field: "lat" });
  expect(spotOf("36.7", "999")).toEqual({ reason: "beyond", field: "lng" });
  expect(spotOf("36.7", "west")).toEqual({ reason: "beyond", field: "lng" });
  expect([NERJA.lat, -0.5].map(written)).toEqual(["36.749700", "-0.500000"]);
});

/** A fake form with a home's two values, and a teller that writes a pin into it. */
function form() {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const values: Record<string, unknown> = { lat: "36.749000", lng: "-3.872000" };
  const taken = vi.fn();
  const tell = vi.fn((field: string, value: unknown) => {
    values[field] = value;
  });
  /** The published version is open at first. */
  const version: { id?: string | undefined } = {};
  const draft = () => version.id;
  const item = { isNew: false };
  const isNew = () => item.isNew;
  const teller = formTeller({ read: () => values, draft, isNew, tell, taken });
  onTestFinished(teller.stop);
  return { values, version, item, taken, tell, set: teller.set, forget: teller.forget };
}

test("a form receives one field at a time, and each once", () => {
  const { values, taken, tell, set } = form();
  set(NERJA);
  expect(values).toEqual({ lat: NERJA.lat, lng: "-3.872000" });
  expect(taken).not.toHaveBeenCalled();
  vi.advanceTimersByTime(100);
  expect(values).toEqual(NERJA);
  expect(taken).toHaveBeenCalled();
  vi.advanceTimersByTime(60_000);
  expect(tell).toHaveBeenCalledTimes(2);
  expect(vi.getTimerCount()).toBe(0);
});

test("a pin that a form forgets while it opens and saves a draft is sent again", () => {
  const { values, set } = form();
  set(NERJA);
  set({ lat: 36.76, lng: -3.88 });
  vi.advanceTimersByTime(500);
  // The draft is saved with the first pin.
  Object.assign(values, { lat: "36.749700", lng: "-3.872400" });
  vi.advanceTimersByTime(1_200);
  expect(values).toEqual({ lat: 36.76, lng: -3.88 });
});

/** A form in which `set` opened a draft whose first save is slow. */
function opened() {
  const { values, version, taken, set } = form();
  set({ lat: 36.76, lng: -3.88 });
  version.id = "+";
  vi.advanceTimersByTime(30_000);
  return { values, version, taken };
}

const FORGOTTEN = { lat: "36.749000", lng: "-3.872000" };

test("a pin that a form forgets when its slow save ends is sent again", () => {
  const { values, version } = opened();
  Object.assign(values, FORGOTTEN);
  version.id = "d1";
  vi.advanceTimersByTime(1_200);
  expect(values).toEqual({ lat: 36.76, lng: -3.88 });
  vi.advanceTimersByTime(60_000);
  expect(vi.getTimerCount()).toBe(0);
});

test("a form whose draft is discarded receives nothing more", () => {
  const { values, version } = opened();
  Object.assign(values, FORGOTTEN);
  version.id = undefined;
  vi.advanceTimersByTime(60_000);
  expect(values).toEqual(FORGOTTEN);
});

test("the teller waits a minute for a draft that is never saved", () => {
  const { taken } = opened();
  vi.advanceTimersByTime(40_000);
  expect(vi.getTimerCount()).toBe(0);
  expect(taken).toHaveBeenCalled();
});

const NOWHERE = { lat: null, lng: null };

test("the form of the next item does not receive the previous item's pin", () => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const props = { collection: "properties", primaryKey: "7", version: { id: "+" } };
  const values: { value: Record<string, unknown> } = { value: { ...NOWHERE } };
  const emit = vi.fn((_event: string, { field, value }: { field: string; value: unknown }) => {
    values.value[field] = value;
  });
  const left = vi.fn();
  const { found, set } = usePin(props, values, emit, left);
  set(NERJA);
  vi.advanceTimersByTime(500);
  expect(found.value).toEqual({ spot: NERJA });

  props.primaryKey = "8";
  values.value = { ...NOWHERE };
  const [[source, leave]] = watched.mock.calls as [[() => unknown, () => void]];
  expect(source()).toEqual(["properties", "8"]);
  leave();
  expect(left).toHaveBeenCalledOnce();
  expect(found.value).toEqual({ reason: "empty" });
  vi.advanceTimersByTime(60_000);
  expect(values.value).toEqual(NOWHERE);
});

test("the previous item's values are not taken for values that a form has forgotten", () => {
  const { values, set, forget } = form();
  Object.assign(values, NOWHERE);
  set(NERJA);
  forget();
  Object.assign(values, { lat: "36.760000", lng: "-3.880000" });
  set(NERJA);
  vi.advanceTimersByTime(200);
  Object.assign(values, NOWHERE);
  vi.advanceTimersByTime(60_000);
  expect(values).toEqual(NOWHERE);
});

test("after “Save and create new” the next new item has no pin", () => {
  const { values, item, set } = form();
  Object.assign(values, NOWHERE);
  item.isNew = true;
  set(NERJA);
  vi.advanceTimersByTime(200);
  expect(values).toEqual(NERJA);
  Object.assign(values, NOWHERE);
  vi.advanceTimersByTime(60_000);
  expect(values).toEqual(NOWHERE);
});

test("the draft of the next new item does not receive the previous item's pin", () => {
  const { values, version, item, set } = form();
  Object.assign(values, NOWHERE);
  item.isNew = true;
  version.id = "d1";
  set(NERJA);
  vi.advanceTimersByTime(200);
  Object.assign(values, NOWHERE);
  version.id = "+";
  vi.advanceTimersByTime(60_000);
  expect(values).toEqual(NOWHERE);
});

test("what an editor types after setting a pin stays", () => {
  const { values, set } = form();
  set(NERJA);
  vi.advanceTimersByTime(200);
  values.lat = 37;
  vi.advanceTimersByTime(60_000);
  expect(values).toEqual({ lat: 37, lng: NERJA.lng });
});

test("the teller gives up after ten seconds if a form accepts nothing", () => {
  const { taken, tell, set, values } = form();
  tell.mockImplementation(() => {});
  set(NERJA);
  vi.advanceTimersByTime(60_000);
  expect(tell.mock.calls.length).toBeLessThan(12);
  expect(taken).toHaveBeenCalledOnce();
  expect(values.lat).toBe("36.749000");
});

test("an empty pin is not zero", () => {
  const { values, set } = form();
  Object.assign(values, { lat: 0, lng: 0 });
  set({ lat: null, lng: null });
  vi.advanceTimersByTime(200);
  expect(values).toEqual({ lat: null, lng: null });
});

test("the map is drawn like the site's maps", async () => {
  for (const spot of [NERJA, { lat: 0, lng: 0 }, { lat: -60, lng: 170 }]) {
    expect(projection.project(spot)).toEqual(site.project(spot));
    expect(projection.unproject(site.project(spot))).toEqual(site.unproject(site.project(spot)));
  }
  expect(projection.project({ lat: 90, lng: 0 }).y).toBeCloseTo(0, 3);
  const { FRAME, GRID, SHORE } = shore;
  expect({ ...(await load("ground.js")) }).toEqual({ FRAME, GRID, SHORE, ...municipalities });
});

test("pressing, panning and zooming keep the point under the pointer", () => {
  const pixel = { x: 120, y: 310 };
  const point = projection.pointAt(VIEW, BOX, pixel);
  expect(projection.pixelOf(VIEW, BOX, point).x).toBeCloseTo(pixel.x, 6);
  expect(projection.pixelOf(VIEW, BOX, VIEW.centre)).toEqual({ x: 400, y: 200 });

  const nearer = projection.zoomed(VIEW, BOX, 2, pixel);
  expect(nearer.zoom).toBe(14.5);
  const anchor = projection.pixelOf(nearer, BOX, point);
  expect(anchor.x).toBeCloseTo(pixel.x, 6);
  expect(anchor.y).toBeCloseTo(pixel.y, 6);

  const pushed = projection.pixelOf(projection.pushed(VIEW, 30, -40), BOX, point);
  expect(pushed.x).toBeCloseTo(150, 6);
  expect(pushed.y).toBeCloseTo(270, 6);
});

test("the zoom ranges from the whole coast to a street", () => {
  const nearest = projection.zoomed(VIEW, BOX, 99, { x: 0, y: 0 });
  expect(projection.isNearest(nearest)).toBe(true);
  expect(projection.metresPerPixel(nearest)).toBeLessThan(0.5);
  const farthest = projection.zoomed(VIEW, BOX, -99, { x: 0, y: 0 });
  expect(projection.isFarthest(farthest)).toBe(true);
  const { west, east } = shore.FRAME;
  const width = ((east - west) / 360) * site.worldSize(farthest.zoom);
  expect(width).toBeLessThan(BOX.width);
});

test.for([
  [0.9, 0.5],
  [1, 1],
  [4.99, 2],
  [50, 50],
  [1999, 1000],
])("a scale for %d metres is %d long", ([most, length]) => {
  expect(projection.roundLength(most)).toBeCloseTo(length as number, 9);
});

test("places are those with coordinates, named in either language", async () => {
  const rows = [
    {
      id: 4,
      slug: "nerja",
      lat: "36.749700",
      lng: "-3.872400",
      translations: [
        { languages_code: "en-GB", name: "Nerja" },
        { languages_code: "es-ES", name: "Nerja" },
      ],
    },
    {
      id: 7,
      slug: "axarquia",
      lat: "36.830000",
      lng: "-4.100000",
      translations: [{ languages_code: "es-ES", name: "la Axarquía" }],
    },
    { id: 8, slug: "nowhere", lat: "999.0", lng: "0", translations: [] },
  ];
  const places = await readPlaces({ get: async () => ({ data: { data: rows } }) });
  expect(places.map(({ id }: { id: number }) => id)).toEqual([4, 7]);
  expect(titleOf(places[1], "en-GB")).toBe("La Axarquía");

  expect(whereabouts(NERJA, places, WORDS.en)).toBe("At Nerja.");
  const farm = { lat: 36.7697, lng: -3.8474 };
  expect(whereabouts(farm, places, WORDS.en)).toBe("3.2 km north-east of Nerja.");
  expect(whereabouts(farm, places, WORDS.es)).toBe("A 3,2 km al noreste de Nerja.");
  expect(whereabouts(farm, [], WORDS.en)).toBe("");
});

test("every English text has a Spanish one", () => {
  const shape = (words: object): unknown =>
    Object.entries(words).map(([key, value]) => [
      key,
      value !== null && typeof value === "object" ? shape(value) : typeof value,
    ]);
  expect(shape(WORDS.es)).toEqual(shape(WORDS.en));
});
