import { expect, test } from "vitest";
import { isPrivatePath } from "#app/lib/account/private-paths.ts";
import { everyTemplate, spanish } from "./addresses.ts";
import { addressOf, headOf } from "./html.ts";
import { anyProperty, ask, BASE_URL, open, visitor } from "./site.ts";

test("each page names its language, its address and its other language", async () => {
  const { path: home } = await anyProperty();
  for (const path of ["/", "/property-for-sale", home]) {
    for (const [address, language, own] of [
      [path, "en-GB", path],
      [spanish(path), "es-ES", spanish(path)],
    ] as const) {
      const html = await (await ask(address)).text();
      const { canonical, alternates } = headOf(html);
      expect(html).toContain(`<html lang="${language}"`);
      expect(canonical.map(addressOf)).toEqual([own]);
      expect(Object.entries(alternates).map(([tag, href]) => [tag, addressOf(href)])).toEqual([
        ["en-GB", path],
        ["es-ES", spanish(path)],
        ["x-default", path],
      ]);
    }
  }
});

test("every route declares whether its pages are public, and only those are cached and tagged", async () => {
  const sharing = async (path: string) => {
    const { headers } = await ask(path, {
      redirect: "manual",
      headers: { cookie: "session=mine" },
    });
    const kept = !/no-store/.test(headers.get("cache-control") ?? "");
    return [path, kept, headers.has("surrogate-key")];
  };
  for (const [, [path = ""]] of await everyTemplate()) {
    for (const address of [path, spanish(path)]) {
      const shared = !isPrivatePath(new URL(address, BASE_URL).pathname);
      expect(await sharing(address)).toEqual([address, shared, shared]);
    }
  }
  const sent = await ask("/login", {
    method: "POST",
    body: new URLSearchParams({ email: "a@b.example" }),
    headers: { origin: "https://elsewhere.example" },
  });
  expect(sent.status).toBe(403);
});

test("a right reference under a wrong place redirects to the right page", async () => {
  const { path, ref } = await anyProperty();
  for (const wrong of [
    `/property-for-sale/elsewhere/${ref}`,
    path.replace(ref, ref.toLowerCase()),
  ]) {
    const response = await ask(wrong, { redirect: "manual" });
    expect([response.status, response.headers.get("location")]).toEqual([301, path]);
  }
});

test("an address in capitals redirects to the canonical spelling", async () => {
  const { path } = await anyProperty();
  // A home's reference has capitals.
  expect(path).toMatch(/[A-Z]/);
  for (const [written, own] of [
    ["/Login", "/login"],
    ["/es/Login", "/es/login"],
    ["/ES", "/es"],
    ["/es/Privacy", "/es/privacy"],
    ["/About", "/about"],
    ["/News.xml", "/news.xml"],
    ["/account/Compare", "/account/compare"],
    ["/ES/property-for-sale?page=2", "/es/property-for-sale?page=2"],
    [path.replace("/property", "/Property"), path],
  ] as const) {
    const response = await ask(written, { redirect: "manual" });
    expect([written, response.status, response.headers.get("location")]).toEqual([
      written,
      301,
      own,
    ]);
    expect([own, (await ask(own)).status]).toEqual([own, 200]);
  }
});

test("what does not exist is answered with 404 and the error page", async () => {
  for (const path of [
    "/nothing-here",
    "/property-for-sale/atlantis",
    "/property-for-sale/nerja/AH-0",
    "/property-for-sale?page=300",
    "/fr/property-for-sale",
    "/healthz",
  ]) {
    const response = await ask(path);
    expect([path, response.status]).toEqual([path, 404]);
    const html = (await response.text()).replaceAll("<!-- -->", "");
    expect(html).toContain("<title>Page not found | ");
    expect(html).toContain('content="We are sorry but this page could not be found."');
    expect(html).toContain(`Page not found: ${path.split("?")[0]}`);
    expect(html).toContain("Go back home");
    expect(html).not.toContain("canonical");
  }
  expect((await ask("/es/healthz")).status).toBe(404);
  const page = await visitor();
  await open(page, "/es/nada");
  await page.getByText("Página no encontrada: /es/nada").waitFor();
  await page.getByRole("link", { name: "Volver al inicio" }).click();
  await page.waitForURL("**/es");
});

test("a chosen theme is there at the first paint, and survives the next page", async () => {
  const page = await visitor({ colorScheme: "light" });
  await open(page, "/");
  const background = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await background();
  await page.getByRole("button", { name: "Dark" }).last().click();
  const dark = await background();
  expect(dark).not.toBe(light);

  // The script in the head runs before the body exists: nothing light is ever painted.
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (!document.body) return;
      observer.disconnect();
      document.documentElement.dataset.atFirst = document.documentElement.dataset.theme ?? "none";
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto("/property-for-sale");
  expect(await page.evaluate(() => document.documentElement.dataset.atFirst)).toBe("dark");
  expect(await background()).toBe(dark);
  const bar = page.locator('meta[name="theme-color"]').first();
  expect(await bar.getAttribute("content")).toBe("#111827");
});

test("the other language is one link away and is remembered", async () => {
  const { path } = await anyProperty();
  const page = await visitor();
  await open(page, path);
  await page.getByRole("banner").getByRole("link", { name: "Español" }).click();
  await page.waitForURL(`**/es${path}`);
  expect(await page.getAttribute("html", "lang")).toBe("es-ES");
  const [cookie] = await page.context().cookies();
  expect(cookie).toMatchObject({ name: "language", value: "es", path: "/", sameSite: "Lax" });
});
