import { expect, test } from "vitest";
import { readSheet } from "../sheet-file.ts";
import { homes, spanish } from "./addresses.ts";
import { anyProperty, ask, BASE_URL, open, READABLE, visitor } from "./site.ts";

/** The maximum size of a sheet, which a phone may download. */
const MAX_BYTES = 600_000;
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
    expect(file.length).toBeLessThan(MAX_BYTES);
    expect([sheet.pages, sheet.language, sheet.tagged]).toEqual([1, language, true]);
    expect(plain(sheet.text)).toContain(ref);
    expect(plain(sheet.text)).toContain(written);
    expect(sheet.text).toContain(words);
    // The additional costs, with the editors' rates.
    expect(sheet.text).toMatch(/\((ITP|VAT|IVA) \d+([.,]\d)? ?%/);
    // Its images, the energy label or the reason for its absence, and the QR code.
    expect(sheet.alternatives.length).toBeGreaterThanOrEqual(4);
    expect(new URL(sheet.code).pathname).toBe(`${prefix}${path}`);
    expect((await ask(new URL(sheet.code).pathname)).status).toBe(200);
  }
});

test("a home of each kind has the sheet that its page links to, in either language", async () => {
  const linked: string[] = [];
  const paths = (await homes()).flatMap((path) => [path, spanish(path)]);
  for (const path of paths) {
    const address = `${path}/sheet.pdf`;
    if (!(await (await ask(path)).text()).includes(`href="${address}"`)) continue;
    const { sheet } = await sheetAt(address);
    expect([address, sheet.pages]).toEqual([address, 1]);
    linked.push(address);
  }
  expect(linked.length).toBeGreaterThan(7);
});

test("a phone with a share sheet of its own still has the link to the window sheet", async () => {
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

test("without a script the page links to its sheet", async () => {
  const { path } = await anyProperty();
  const page = await visitor({ javaScriptEnabled: false });
  await page.goto(`/es${path}`, READABLE);
  const link = page.getByRole("link", { name: "Ficha de escaparate (PDF)" });
  await link.waitFor();
  expect(await link.getAttribute("href")).toBe(`/es${path}/sheet.pdf`);
});

test("a home that is not for sale has no sheet, and a wrong place redirects to the right one", async () => {
  const gone = "/es/property-for-sale/nerja/AH-9999";
  const page = await ask(`${gone}/sheet.pdf`);
  // It redirects to the page of such a home, which explains it.
  expect([page.status, new URL(page.url).pathname]).toEqual([404, gone]);
  expect(page.headers.get("content-type")).toContain("text/html");
  const { path, ref } = await anyProperty();
  const response = await fetch(`${BASE_URL}/es/property-for-sale/elsewhere/${ref}/sheet.pdf`, {
    redirect: "manual",
  });
  expect(response.status).toBe(301);
  expect(response.headers.get("location")).toBe(`/es${path}/sheet.pdf`);
});
