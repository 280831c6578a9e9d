import { expect, test } from "vitest";
import { readSheet } from "../sheet-file.ts";
import { anyProperty, ask, BASE_URL, edit, open, visitor } from "./site.ts";

/** A shop prints it, and a telephone may fetch it. */
const MOST_BYTES = 600_000;
const PHONE = { width: 390, height: 844 };

async function sheetAt(path: string) {
  const response = await ask(path);
  expect([path, response.status]).toEqual([path, 200]);
  const file = new Uint8Array(await response.arrayBuffer());
  return { headers: response.headers, file, sheet: await readSheet(file) };
}

const plain = (text: string) => text.replaceAll("\u00a0", " ");

test("a home has a sheet for the shop window in either language", async () => {
  const { path, ref, price } = await anyProperty();
  for (const [prefix, language, written, words] of [
    ["", "en-GB", `€${price.toLocaleString("en-GB")}`, "Energy rating"],
    ["/es", "es-ES", `${price.toLocaleString("de-DE")} €`, "Calificación energética"],
  ] as const) {
    const { headers, file, sheet } = await sheetAt(`${prefix}${path}/sheet.pdf`);
    expect(headers.get("content-type")).toBe("application/pdf");
    expect(headers.get("surrogate-key")).toContain(ref);
    expect(headers.get("x-robots-tag")).toBe("noindex");
    expect(file.length).toBeLessThan(MOST_BYTES);
    expect([sheet.pages, sheet.language, sheet.tagged]).toEqual([1, language, true]);
    expect(plain(sheet.text)).toContain(ref);
    expect(plain(sheet.text)).toContain(written);
    expect(sheet.text).toContain(words);
    // What comes on top, with the editors' rates.
    expect(sheet.text).toMatch(/\((ITP|VAT|IVA) \d+([.,]\d)? ?%/);
    // Its images, the label or the reason for none, and the code.
    expect(sheet.alternatives.length).toBeGreaterThanOrEqual(4);
    expect(new URL(sheet.code).pathname).toBe(`${prefix}${path}`);
    expect((await ask(new URL(sheet.code).pathname)).status).toBe(200);
  }
});

test("a telephone that shares by itself finds the sheet on the page all the same", async () => {
  const { path } = await anyProperty();
  const page = await visitor({ viewport: PHONE, isMobile: true, hasTouch: true });
  await page.addInitScript(() => {
    Object.assign(navigator, { share: async () => document.body.setAttribute("data-shared", "") });
  });
  for (const [prefix, share, sheet] of [
    ["", "Share", "Window sheet (PDF)"],
    ["/es", "Compartir", "Ficha de escaparate (PDF)"],
  ] as const) {
    await open(page, prefix + path);
    await page.getByRole("button", { name: share }).tap();
    await page.locator("body[data-shared]").waitFor();
    const link = page.getByRole("main").getByRole("link", { name: sheet });
    await link.waitFor();
    expect(await link.getAttribute("href")).toBe(`${prefix}${path}/sheet.pdf`);
    expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(24);
  }
});

test("without a script the page leads to its sheet", async () => {
  const { path } = await anyProperty();
  const page = await visitor({ javaScriptEnabled: false });
  await page.goto(`/es${path}`, { waitUntil: "domcontentloaded" });
  const link = page.getByRole("link", { name: "Ficha de escaparate (PDF)" });
  await link.waitFor();
  expect(await link.getAttribute("href")).toBe(`/es${path}/sheet.pdf`);
});

test("what is not for sale has no sheet, and a wrong place leads to the right one", async () => {
  expect((await ask("/property-for-sale/nerja/AH-9999/sheet.pdf")).status).toBe(404);
  const { path, ref } = await anyProperty();
  const response = await fetch(`${BASE_URL}/es/property-for-sale/elsewhere/${ref}/sheet.pdf`, {
    redirect: "manual",
  });
  expect(response.status).toBe(301);
  expect(response.headers.get("location")).toBe(`/es${path}/sheet.pdf`);
});

test("a sheet is kept until its home changes, and goes with it", async () => {
  const { path, ref, price } = await anyProperty();
  const address = `${path}/sheet.pdf`;
  const before = await sheetAt(address);
  expect((await sheetAt(address)).headers.get("etag")).toBe(before.headers.get("etag"));
  await edit(ref, { price: price - 5_000 });
  try {
    const written = `€${(price - 5_000).toLocaleString("en-GB")}`;
    await expect.poll(async () => (await sheetAt(address)).sheet.text).toContain(written);
    await edit(ref, { status: "archived" });
    await expect.poll(async () => (await ask(address)).status).toBe(410);
  } finally {
    await edit(ref, { price, status: "published" });
  }
  await expect.poll(async () => (await ask(address)).status).toBe(200);
});
