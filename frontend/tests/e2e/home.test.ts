import { expect, test } from "vitest";
import { placeLabel } from "#app/lib/site/place-label.ts";
import { mainOf } from "./html.ts";
import { ask, BASE_URL, listed, open, visitor } from "./site.ts";

interface Place {
  slug: string;
  name: string;
  count: number;
}

async function items<Item>(path: string): Promise<Item[]> {
  const response = await ask(path);
  expect([path, response.status]).toEqual([path, 200]);
  return ((await response.json()) as { items: Item[] }).items;
}

/** Returns the text of a document without its tags. */
const wordsOf = (html: string) => html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

test.each(["en", "es"] as const)(
  "the home page says who we are, what we have sold and where, without a script, in %s",
  async (locale) => {
    const prefix = locale === "es" ? "/es" : "";
    const html = await (await ask(prefix || "/")).text();
    const main = mainOf(html);
    const words = wordsOf(main);
    for (const { name, role } of await items<{ name: string; role: string }>(
      `/api/team?locale=${locale}`,
    )) {
      expect(words).toContain(name);
      expect(words).toContain(role);
    }
    const areas = await items<Place>(`/api/locations?locale=${locale}`);
    expect(areas.length).toBeGreaterThan(8);
    for (const { slug, name, count } of areas) {
      const [link = ""] =
        new RegExp(`<a [^>]*href="${prefix}/property-for-sale/${slug}"[^>]*>[\\s\\S]*?</a>`).exec(
          main,
        ) ?? [];
      // The label stands alone, and so is capitalised.
      expect(wordsOf(link)).toContain(placeLabel(name));
      expect([name, new RegExp(`\\b${count}\\b`).test(wordsOf(link))]).toEqual([name, true]);
    }
    const sold = await listed("&status=sold", locale);
    expect(sold.filter(({ title }) => words.includes(title)).length).toBeGreaterThan(0);
    for (const path of [
      "/enquiry?kind=valuation",
      "/selling-a-property",
      "/property-for-sale?status=sold",
      "/property-for-sale?view=map",
      "/save-search",
      "/about",
      "/docs",
      "/docs/buying",
    ]) {
      expect(main).toContain(`href="${prefix}${path}"`);
    }
  },
);

test("the home page shows the editors' texts", async () => {
  const response = await ask("/api/pages/home?locale=en");
  const { title, intro, metaDescription } = (await response.json()) as Record<string, string>;
  const html = await (await ask("/")).text();
  expect(html).toContain(`: ${title}`);
  expect(html).toContain(intro);
  expect(html).toContain(`name="description" content="${metaDescription}"`);
});

test("the address of the editors' page `home` redirects to the home page", async () => {
  for (const [path, home] of [
    ["/home", "/"],
    ["/es/home", "/es"],
  ]) {
    const response = await fetch(`${BASE_URL}${path}`, { redirect: "manual" });
    expect([path, response.status, response.headers.get("location")]).toEqual([path, 301, home]);
  }
});

test("on a phone the newest homes are a scrollable row, and keys reach its end", async () => {
  const page = await visitor({ viewport: { width: 390, height: 844 } });
  await open(page, "/");
  const row = page
    .getByRole("region", { name: "Just in" })
    .getByRole("list")
    .filter({ has: page.getByRole("article") })
    .first();
  const [first, second] = await Promise.all([
    row.getByRole("article").first().boundingBox(),
    row.getByRole("article").nth(1).boundingBox(),
  ]);
  expect(second?.y).toBe(first?.y);
  // A part of the next card shows that the row goes on.
  expect(second?.x).toBeLessThan(390);
  const last = row.getByRole("article").last().getByRole("heading").getByRole("link");
  await last.focus();
  await expect.poll(async () => (await last.boundingBox())?.x ?? 999).toBeLessThan(390);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

test.each([
  ["/", "Ask for a valuation"],
  ["/es", "Pedir una valoración"],
])("the button for a valuation fits on one line on a phone, on %s", async (path, name) => {
  const page = await visitor({ viewport: { width: 375, height: 667 } });
  await open(page, path);
  const band = page.locator("section[aria-labelledby=worth]");
  const button = band.getByRole("link", { name });
  await button.scrollIntoViewIfNeeded();
  expect((await button.boundingBox())?.height).toBeLessThan(50);
});
