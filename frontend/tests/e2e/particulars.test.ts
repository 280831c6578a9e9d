import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { ask, hydrated, listed, open, READABLE, takesKeys, visitor } from "./site.ts";

interface Home {
  ref: string;
  path: string;
  particulars?: {
    usefulArea?: number;
    orientation?: string;
    beachWalk?: unknown;
    rooms?: unknown[];
  };
  floorPlan?: { file: string };
}

/** A home with all particulars except a video. */
let home: Home;

beforeAll(async () => {
  for (const { ref, location } of await listed("&propertyType=Apartment&sort=price-asc")) {
    const answer = await ask(`/api/properties/${ref}?locale=en`);
    const found = (await answer.json()) as Home;
    const { usefulArea, orientation, beachWalk, rooms } = found.particulars ?? {};
    if (usefulArea && orientation && beachWalk && rooms && found.floorPlan) {
      home = { ...found, path: `/property-for-sale/${location.slug}/${ref}` };
      return;
    }
  }
  throw new Error("no home has a size within its walls, a side, a walk, rooms and a plan");
});

const WORDS = {
  en: {
    prefix: "",
    useful: "Usable size",
    faces: "Faces",
    walk: /^Walk to the beach/,
    sun: "Sun on the terrace",
    day: "21 December",
    hours: /Sun from (sunrise at|about) \d?\d:\d\d/,
    rooms: "Rooms and floor plan",
    plan: "See the floor plan",
  },
  es: {
    prefix: "/es",
    useful: "Superficie útil",
    faces: "Orientación",
    walk: /^A pie a la playa/,
    sun: "Sol en la terraza",
    day: "21 de diciembre",
    hours: /Sol desde (el amanecer, a las|las) \d?\d:\d\d/,
    rooms: "Estancias y plano",
    plan: "Ver el plano",
  },
} as const;

const section = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

/** Checks that size, orientation and walk are among the facts; returns the section with the rooms. */
async function isTold(page: Page, words: (typeof WORDS)["en" | "es"]): Promise<Locator> {
  const facts = page.locator("dl.facts");
  await facts.getByText(words.useful, { exact: true }).waitFor();
  await facts.getByText(words.faces, { exact: true }).waitFor();
  await facts.getByText(words.walk).waitFor();
  const rooms = section(page, words.rooms);
  expect(await rooms.getByRole("rowheader").count()).toBe(home.particulars?.rooms?.length);
  return rooms;
}

test.each(["en", "es"] as const)(
  "sun, walk, rooms and plan are on the page of a home that has them, in %s",
  async (locale) => {
    const words = WORDS[locale];
    const page = await visitor();
    await open(page, words.prefix + home.path);
    const rooms = await isTold(page, words);

    const sun = section(page, words.sun);
    await sun.getByText(words.day).waitFor();
    expect(await sun.getByRole("definition").first().textContent()).toMatch(words.hours);

    const plan = rooms.getByRole("link", { name: words.plan });
    await hydrated(plan);
    await plan.click();
    const lightbox = page.getByRole("dialog");
    await lightbox.locator("picture img").waitFor();
    await page.keyboard.press("Escape");
    await lightbox.waitFor({ state: "hidden" });
    await takesKeys(plan);
  },
);

test.each(["en", "es"] as const)(
  "without a script a home's sun, walk, rooms and plan are there, in %s",
  async (locale) => {
    const words = WORDS[locale];
    const page = await visitor({ javaScriptEnabled: false });
    await page.goto(words.prefix + home.path, READABLE);
    const rooms = await isTold(page, words);
    const hours = section(page, words.sun).getByRole("definition");
    expect(await hours.first().textContent()).toMatch(words.hours);
    const href = await rooms.getByRole("link", { name: words.plan }).getAttribute("href");
    const picture = await ask(href ?? "");
    expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
  },
);
