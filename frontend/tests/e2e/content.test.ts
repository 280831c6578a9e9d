import { expect, test } from "vitest";
import { FIRST_PAGE, PLACES } from "#app/features/shell/preview/editable.ts";
import { spanish } from "./addresses.ts";
import { addressOf, headOf, mainOf, tags } from "./html.ts";
import { anyProperty, ask, hydrated, open, openWhole, READABLE, visitor } from "./site.ts";

const PAGES = [
  "/about",
  "/accessibility",
  "/buying-a-property",
  "/contact-us",
  "/cookies",
  "/docs",
  "/docs/buying",
  "/docs/buying/what-it-costs",
  "/marbella-villa-rentals",
  "/marketing",
  "/nerja-malaga-east",
  "/new-properties",
  "/news",
  "/news/a-finca-in-five-papers",
  "/pricing",
  "/privacy",
  "/proadner-property-administration",
  "/reduced-properties",
  "/selling-a-property",
  "/terms",
  "/torrox-property-for-sale",
];

async function read(path: string): Promise<string> {
  const response = await ask(path);
  expect([path, response.status]).toEqual([path, 200]);
  return response.text();
}

test.each(PAGES)(
  "%s answers in both languages, each with one heading and its own address",
  async (path) => {
    for (const [address, language] of [
      [path, "en-GB"],
      [spanish(path), "es-ES"],
    ] as const) {
      const html = await read(address);
      expect(html).toContain(`<html lang="${language}"`);
      const { titles, descriptions, headings, canonical, alternates, things } = headOf(html);
      expect(headings).toBe(1);
      const [title = ""] = titles;
      const [description = ""] = descriptions;
      expect(title).toMatch(/.Almijara Homes$/);
      expect(description).not.toBe("");
      // The maximum that search engines show.
      expect(title.length, title).toBeLessThanOrEqual(60);
      expect(description.length, description).toBeLessThanOrEqual(155);
      expect(canonical.map(addressOf)).toEqual([address]);
      expect(Object.entries(alternates).map(([tag, href]) => [tag, addressOf(href)])).toEqual([
        ["en-GB", path],
        ["es-ES", spanish(path)],
        ["x-default", path],
      ]);
      expect(things.map((thing) => thing["@type"])).toContain("BreadcrumbList");
    }
  },
);

test("each text and picture that an editor may click in a preview is on its page", async () => {
  const { path } = await anyProperty();
  const page = await visitor();
  for (const [places, paths] of [
    [FIRST_PAGE, ["/"]],
    [PLACES.pages, ["/buying-a-property"]],
    [PLACES.articles, ["/news/a-finca-in-five-papers"]],
    [PLACES.docs, ["/docs/buying"]],
    [PLACES.locations, ["/property-for-sale/nerja"]],
    // Not every home has rooms.
    [PLACES.properties, ["/property-for-sale/nerja/AH-1021", path]],
  ] as const) {
    const missing = new Set(places?.map(([, , selector]) => selector));
    for (const address of paths) {
      await open(page, address);
      for (const selector of missing) {
        if ((await page.locator(selector).count()) > 0) missing.delete(selector);
      }
    }
    expect([...missing], paths[0]).toEqual([]);
  }
});

test.each(["", "/es"])(
  "no two pages under `%s/` have the same title or description",
  async (prefix) => {
    const pages = await Promise.all(PAGES.map((path) => read(prefix + path)));
    const heads = pages.map(headOf);
    const titles = heads.map((head) => head.titles[0]);
    const descriptions = heads.map((head) => head.descriptions[0]);
    expect(new Set(titles).size).toBe(PAGES.length);
    expect(new Set(descriptions).size).toBe(PAGES.length);
  },
);

test("every link within the pages works, and every anchor exists", async () => {
  const targets = new Set<string>();
  for (const path of PAGES.flatMap((each) => [each, spanish(each)])) {
    const main = mainOf(await read(path));
    const ids = new Set(tags(main, "[a-z0-9]+").map(({ id }) => id));
    for (const { href = "" } of tags(main, "a")) {
      if (href.startsWith("#"))
        expect([path, href, ids.has(href.slice(1))]).toEqual([path, href, true]);
      else if (href.startsWith("/")) targets.add(href);
    }
  }
  expect(targets.size).toBeGreaterThan(60);
  for (const target of targets) {
    const response = await ask(target, { redirect: "manual" });
    // The client area asks who it is first.
    const expected = /^(\/es)?\/account(\/|$)/.test(target) ? 302 : 200;
    expect([target, response.status]).toEqual([target, expected]);
  }
}, 600_000);

test.each([
  ["/new-properties", "newWithin=30"],
  ["/reduced-properties", "reduced=true"],
] as const)("%s has all that the search for %s finds, page by page", async (path, search) => {
  const { total } = (await (await ask(`/api/properties?${search}`)).json()) as { total: number };
  // The test content gets a new listing date with each run.
  expect(total).toBeGreaterThan(0);
  const found = new Set<string>();
  for (let page = 1; ; page += 1) {
    const html = await read(page === 1 ? path : `${path}?page=${page}`);
    const main = mainOf(html);
    for (const article of tags(main, "article")) found.add(article["data-ref"] ?? "");
    expect(main).toContain(total === 1 ? "1 property" : `${total} properties`);
    expect(main).toContain(`href="/property-for-sale?${search}"`);
    if (!main.includes(`href="${path}?page=${page + 1}"`)) break;
  }
  expect(found.size).toBe(total);
  expect((await ask(`${path}?page=99`)).status).toBe(404);
});

test("a text ends in one call to action: an enquiry, or for sellers a valuation", async () => {
  const calls = async (path: string) => {
    const [main = ""] = /<main[\s\S]*<\/main>/.exec(await read(path)) ?? [];
    const cards = [
      /<p[^>]*>Would you rather ask\?<\/p>/g,
      /<p[^>]*>What is your home worth\?<\/p>/g,
    ];
    return [path, ...cards.map((card) => main.match(card)?.length ?? 0)];
  };
  for (const path of [
    "/buying-a-property",
    "/docs",
    "/docs/buying/what-it-costs",
    "/new-properties",
    "/news/a-finca-in-five-papers",
    "/reduced-properties",
  ]) {
    expect(await calls(path)).toEqual([path, 1, 0]);
  }
  for (const path of ["/docs/selling/papers-to-gather", "/marketing", "/pricing"]) {
    expect(await calls(path)).toEqual([path, 0, 1]);
  }
  expect(await calls("/terms")).toEqual(["/terms", 0, 0]);
});

test("a page that does not exist is not found", async () => {
  for (const path of ["/news/nothing-here", "/docs/nothing-here", "/es/docs/buying/nada"]) {
    const response = await ask(path);
    expect([path, response.status]).toEqual([path, 404]);
  }
});

test("the guides can be read one after the other, from the index to the last", async () => {
  const index = await (await ask("/api/docs?locale=es")).json();
  const written = index.contents.map(({ slug }: { slug: string }) =>
    slug === "" ? "/es/docs" : `/es/docs/${slug}`,
  );
  const visited: string[] = [];
  for (let path: string | undefined = "/es/docs"; path !== undefined; ) {
    visited.push(path);
    path = tags(await read(path), "a").find(({ rel }) => rel === "next")?.href;
  }
  expect(visited).toEqual(written);
});

test("links in a text navigate client-side, and are plain links without a script", async () => {
  const page = await visitor();
  const documents: string[] = [];
  await open(page, "/buying-a-property");
  page.on("request", (request) => {
    if (request.resourceType() === "document" || request.url().includes(".data")) {
      documents.push(request.url());
    }
  });
  const link = page.locator('.prose a[href="/docs/buying/mortgages"]');
  await link.click();
  await page.waitForURL("**/docs/buying/mortgages");
  await page.getByRole("heading", { level: 1, name: "Mortgages" }).waitFor();
  expect(documents).toEqual([]);

  const scriptless = await visitor({ javaScriptEnabled: false });
  await scriptless.goto("/es/buying-a-property", READABLE);
  await scriptless.locator('.prose a[href="/es/docs/buying/mortgages"]').click();
  await scriptless.waitForURL("**/es/docs/buying/mortgages", READABLE);
  await scriptless.locator("details summary").first().waitFor();
});

test("the list of guides opens as a panel on a phone, without a script", async () => {
  const page = await visitor({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
  await page.goto("/docs/buying", READABLE);
  await page.getByRole("button", { name: "All guides" }).click();
  await page.locator("#doc-menu").getByRole("link", { name: "Mortgages" }).click();
  await page.waitForURL("**/docs/buying/mortgages", READABLE);
});

test("a text that is not translated says so and claims no other language", async () => {
  const page = await visitor();
  await page.route("**/api/pages/pricing?*", async (route) => {
    const response = await route.fetch();
    const body = { ...(await response.json()), language: "es", locales: ["es"] };
    await route.fulfill({ response, json: body });
  });
  await open(page, "/selling-a-property");
  await page.locator('.prose a[href="/pricing"]').first().click();
  await page.getByText("This text has not been translated yet.").waitFor();
  expect(await page.locator("h1").getAttribute("lang")).toBe("es-ES");
  expect(await page.locator("link[rel=alternate][hreflang]").count()).toBe(0);
  const canonical = await page.locator("link[rel=canonical]").getAttribute("href");
  expect(new URL(canonical ?? "").pathname).toBe("/es/pricing");
});

test.each(["", "/es"])(
  "the page of the administration presents its own people (%j)",
  async (prefix) => {
    const page = await visitor();
    const names = async (path: string) => {
      await page.goto(`${prefix}${path}`);
      return page.locator("section[aria-labelledby=team] h3").allTextContents();
    };
    const everyone = await names("/about");
    const administration = await names("/proadner-property-administration");
    expect(administration.length).toBeGreaterThan(0);
    expect(administration.length).toBeLessThan(everyone.length);
    expect(everyone).toEqual(expect.arrayContaining(administration));
  },
);

test("photographs are described in the language of the page", async () => {
  const { ref } = await anyProperty();
  const described = async (locale: string) => {
    const response = await ask(`/api/properties/${ref}?locale=${locale}`);
    const { images } = (await response.json()) as { images: { alt: string }[] };
    return images.map(({ alt }) => alt);
  };
  const [english, other] = [await described("en"), await described("es")];
  expect(english.length).toBeGreaterThan(0);
  for (const [index, alt] of english.entries()) {
    expect(alt).not.toBe("");
    expect(other[index]).not.toBe(alt);
  }
});

test("on a phone the list of guides closes when the focus moves on by keys", async () => {
  const page = await visitor({ viewport: { width: 390, height: 844 } });
  // The script that closes it is loaded after hydration.
  await openWhole(page, "/docs/buying");
  const opener = await hydrated(page.getByRole("button", { name: "All guides" }));
  await opener.press("Enter");
  const panel = page.locator("#doc-menu");
  await panel.getByRole("link").last().focus();
  await page.keyboard.press("Tab");
  await panel.waitFor({ state: "hidden" });
});
