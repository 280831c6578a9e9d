import { expect, test } from "vitest";
import { ask, euros, listed, open, READABLE, visitor } from "./site.ts";

interface Place {
  slug: string;
  name: string;
  partOf?: string | null;
  count: number;
}

async function places(): Promise<Place[]> {
  const { items } = (await (await ask("/api/locations?locale=en")).json()) as { items: Place[] };
  return items;
}

const total = async (query: string) =>
  ((await (await ask(`/api/properties?${query}`)).json()) as { total: number }).total;

test("a place finds and counts the homes of its parts", async () => {
  const all = await places();
  const partsOf = (slug: string) =>
    all.filter(({ partOf }) => partOf === slug).map((part) => part.slug);
  expect(partsOf("torrox").sort()).toEqual(["el-morche", "torrox-costa", "torrox-pueblo"]);
  expect(partsOf("nerja")).toEqual(["maro"]);
  expect(partsOf("velez-malaga")).toEqual(["torre-del-mar"]);
  for (const { slug, count } of all)
    expect([slug, await total(`location=${slug}`)]).toEqual([slug, count]);
  expect(all.find(({ slug }) => slug === "axarquia")?.count).toBe(await total(""));
  // Its own homes and those of its parts.
  const counted = (slug: string) => all.find((place) => place.slug === slug)?.count ?? 0;
  const ofParts = partsOf("torrox").reduce((sum, slug) => sum + counted(slug), 0);
  expect(counted("torrox")).toBeGreaterThan(ofParts);
});

test("a place's page links to its parts and to the places around it, without a script too", async () => {
  const page = await visitor({ javaScriptEnabled: false });
  await page.goto("/property-for-sale/torrox", READABLE);
  const more = page.locator("section[aria-labelledby=place-links]");
  const parts = more.getByRole("list", { name: "Places in Torrox" });
  const names = await parts.getByRole("link").allTextContents();
  expect(names.map((name) => name.replace(/\d+$/, ""))).toEqual([
    "Torrox Costa",
    "Torrox Pueblo",
    "El Morche",
  ]);
  await more.getByRole("link", { name: "Everything in the Axarquía" }).click();
  await page.waitForURL("**/property-for-sale/axarquia", READABLE);
  expect(await page.locator("h1").textContent()).toContain("in the Axarquía");
  await page.goto("/es/property-for-sale/torrox", READABLE);
  expect(await page.getByRole("list", { name: "Zonas de Torrox" }).count()).toBe(1);
});

test("a home's breadcrumbs name every enclosing place, and on a phone the nearest", async () => {
  const [home] = await listed("&location=el-morche");
  const path = `/property-for-sale/el-morche/${home?.ref}`;
  const desk = await visitor();
  await desk.goto(path);
  const crumbs = desk.locator(".breadcrumbs a:visible");
  expect((await crumbs.allTextContents()).slice(-3)).toEqual([
    "The Axarquía",
    "Torrox",
    "El Morche",
  ]);
  for (const width of [320, 390]) {
    const phone = await visitor({ viewport: { width, height: 844 } });
    await phone.goto(path);
    const near = phone.locator(".breadcrumbs a:visible");
    expect((await near.allTextContents()).at(-1)).toBe("El Morche");
    expect(await near.filter({ hasText: "Axarquía" }).count()).toBe(0);
    const overflows = await phone.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    );
    expect([width, overflows]).toEqual([width, false]);
  }
});

test("the filter shows the hierarchy of places", async () => {
  const page = await visitor();
  await open(page, "/property-for-sale");
  const choices = page.locator("input[name=location]");
  const values = await choices.evaluateAll((inputs) =>
    inputs.map((input) => (input as HTMLInputElement).value),
  );
  expect(values.slice(0, 5)).toEqual([
    "axarquia",
    "torrox",
    "torrox-costa",
    "torrox-pueblo",
    "el-morche",
  ]);
  const left = async (slug: string) =>
    (await page.locator(`input[name=location][value=${slug}]`).boundingBox())?.x ?? 0;
  const [outer, middle, inner] = [
    await left("axarquia"),
    await left("torrox"),
    await left("el-morche"),
  ];
  expect(outer < middle && middle < inner).toBe(true);
});

test("every reduced home says since when", async () => {
  const reduced = await listed("&reduced=true&perPage=48");
  for (const { ref } of reduced) {
    const home = (await (await ask(`/api/properties/${ref}?locale=en`)).json()) as {
      price: number;
      previousPrice: number;
      reducedAt: string;
      history: { at: string; price: number }[];
    };
    const steps = home.history.map(({ at, price }) => [at, price]);
    expect(steps).toContainEqual([home.reducedAt, home.price]);
    expect(home.previousPrice).toBeGreaterThan(home.price);
    expect(home.history.some(({ price }) => price === home.previousPrice)).toBe(true);
  }
  const page = await visitor();
  const [first] = reduced;
  await page.goto(`/property-for-sale/${first?.location.slug}/${first?.ref}`);
  expect(
    await page
      .locator(".beside-enquiry")
      .getByText(/^Reduced by €[\d,]+ \(\d+%\) on \d/)
      .filter({ visible: true })
      .count(),
  ).toBe(1);
  await page.goto(`/es/property-for-sale/${first?.location.slug}/${first?.ref}`);
  expect(
    await page
      .locator(".beside-enquiry")
      .getByText(/^Rebaja de .* el \d+ de /)
      .filter({ visible: true })
      .count(),
  ).toBe(1);
});

interface Listed {
  ref: string;
  price?: number;
  builtArea?: number;
  kind: string;
  status: string;
  propertyType: string;
}

const NO_HOMES = ["garage", "land", "office", "premises", "bar"];

/** Returns the residential homes for sale in a place that have a price. */
async function pricedHomes(place: string): Promise<Required<Listed>[]> {
  const items: Listed[] = [];
  for (let page = 1, total = 1; items.length < total; page += 1) {
    const query = `location=${place}&status=for_sale&perPage=100&page=${page}`;
    const list = (await (await ask(`/api/properties?${query}`)).json()) as {
      items: Listed[];
      total: number;
    };
    items.push(...list.items);
    total = list.total;
  }
  return items.filter((home): home is Required<Listed> =>
    Boolean(home.price && !NO_HOMES.includes(home.kind)),
  );
}

function median(figures: number[]): number {
  const sorted = figures.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  const [low = 0, high = 0] = [sorted[Math.ceil(half) - 1], sorted[Math.floor(half)]];
  return Math.round((low + high) / 2);
}

test("a place shows the median of its homes' prices, and nothing if they are few", async () => {
  const page = await visitor({ javaScriptEnabled: false });
  const told = page.locator("section[aria-labelledby=prices]");
  const homes = await pricedHomes("torrox");
  await page.goto("/property-for-sale/torrox", READABLE);
  const figure = (name: string) => told.locator("div").filter({ hasText: name }).locator("dd");
  const price = median(homes.map(({ price }) => price));
  expect(await figure("Homes").textContent()).toBe(`${euros(price)} median of ${homes.length}`);
  const flats = homes.filter(
    ({ propertyType, builtArea }) => propertyType === "Apartment" && builtArea,
  );
  const metre = median(flats.map(({ price, builtArea }) => price / builtArea));
  expect(await figure("Flats, per square metre").textContent()).toBe(
    `${euros(metre)} median of ${flats.length}`,
  );
  await page.goto("/", READABLE);
  const area = page.locator("main a[href='/property-for-sale/torrox']").first();
  expect(await area.textContent()).toContain(`${homes.length} homes, median ${euros(price)}`);

  for (const { slug } of await places()) {
    const few = (await pricedHomes(slug)).length < 5;
    await page.goto(`/es/property-for-sale/${slug}`, READABLE);
    expect([slug, await told.count()]).toEqual([slug, few ? 0 : 1]);
  }
});
