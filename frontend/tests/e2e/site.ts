import { existsSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Frame,
  firefox,
  type Locator,
  type Page,
  type Response as PageResponse,
} from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";

/** The running site that the journeys are made on. */
export const BASE_URL = process.env.SITE_URL ?? "";

/** Which browser the journeys are made in. */
export const FIREFOX = process.env.BROWSER === "firefox";

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // So that letters are drawn alike with and without the browser's own window.
  "--font-render-hinting=none",
];

/** Chromium without a window of its own to build opens a page in half the time. */
const CHROMIUM =
  process.env.CHROMIUM ??
  ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"].find((each) => existsSync(each));

/** What the browser says of what it can't have without a connection. */
const NO_CONNECTION = /ERR_INTERNET_DISCONNECTED|ERR_FAILED|status of 503/;

/** A visitor whose clock is not the server's. */
export const ABROAD = { timezoneId: "America/New_York" } as const;

let browser: Browser;
const contexts: BrowserContext[] = [];
const faults: string[] = [];
/** Pages whose document others change: React may render what they changed anew. */
export const changedByOthers = new WeakSet<Page>();
/** What the site was too busy for. */
const refusedPictures = new Set<string>();

beforeAll(async () => {
  browser = FIREFOX
    ? await firefox.launch({
        // Firefox as it is installed, driven by WebDriver BiDi. Playwright from 1.65 on asks it for
        // what Debian's (153) does not know yet.
        channel: "moz-firefox",
        executablePath: process.env.FIREFOX ?? "/usr/bin/firefox-esr",
      })
    : await chromium.launch({
        ...(CHROMIUM ? { executablePath: CHROMIUM } : {}),
        args: FLAGS,
      });
});

afterAll(() => browser.close());

/** Whatever a test did, the browser had nothing to complain of. */
afterEach(async ({ task }) => {
  if (task.result?.state === "fail") await keepPictures(task.name);
  await Promise.all(contexts.splice(0).map((context) => context.close()));
  const found = faults.splice(0);
  const refused = [...refusedPictures];
  refusedPictures.clear();
  // As the message, since a report in JSON has no more of a failure.
  expect(found, found.join("\n")).toEqual([]);
  for (const url of refused) {
    const { status } = await ask(url.slice(BASE_URL.length));
    expect([url, status]).toEqual([url, 200]);
  }
});

/** What stood in each browser when a test failed. */
async function keepPictures(test: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (!folder) return;
  const pages = contexts.flatMap((context) => context.pages());
  for (const [number, page] of pages.entries()) {
    const name = `failed-${test.replaceAll(/\W+/g, "-")}-${number + 1}.png`;
    await page.screenshot({ path: join(folder, name) }).catch(() => undefined);
  }
}

/**
 * Takes what the browser has complained of so far and was meant to, at `least` so often; whatever else
 * it says fails the test.
 */
export function complaints(expected: RegExp, least = 1): void {
  const found = faults.splice(0);
  faults.push(...found.filter((line) => !expected.test(line)));
  const meant = found.length - faults.length;
  expect(meant, `${expected} among:\n${found.join("\n")}`).toBeGreaterThanOrEqual(least);
}

/** A fresh visitor. What any of its pages complains of meanwhile fails the test. */
export async function visitor(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({
    baseURL: BASE_URL,
    viewport: { width: 1280, height: 900 },
    // It stands between a test and what it intercepts; what it does itself has tests of its own.
    serviceWorkers: "block",
    ...options,
  });
  contexts.push(context);
  context.setDefaultTimeout(60_000);
  // What the policy refuses is a line of the console, but in Firefox not always an error.
  await context.addInitScript(() => {
    addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
      console.error(`policy: ${violatedDirective} ${blockedURI}`);
    });
  });
  context.on("weberror", (fault) => {
    const error = fault.error();
    // Firefox calls off the scripts that still load in a page that is left, and says so there.
    const calledOff = FIREFOX && error.message === "undefined has no properties";
    // The router cuts short what a step draws where the next one follows, and catches nothing of it.
    const cutShort = /^Skipped ViewTransition due to skipTransition\(\) call/.test(error.message);
    if (!calledOff && !cutShort) faults.push(`uncaught: ${error} (${fault.location().url})`);
  });
  context.on("page", (page) => listenTo(page, options));
  return context.newPage();
}

/** Notes what a visitor's page complains of, whoever opened it. */
function listenTo(page: Page, options: BrowserContextOptions): void {
  const mayBeOffline = options.serviceWorkers === "allow";
  page.on("console", (message) => {
    const text = message.text();
    const { url } = message.location();
    // A document that answers 404 or 410 is reported as an error of its own address.
    const missing = /404 \(Not Found\)|410 \(Gone\)/.test(text);
    const expected = missing && url === page.url();
    const blocked = text === "Service Worker registration blocked by Playwright";
    // Without a graphics card Chromium says how slow it finds what a map does.
    const slow = text.includes("GPU stall due to ReadPixels");
    // A small machine may take longer over a picture than the door waits. Its page asks again, and so
    // does the end of the test.
    const busy = text.includes("status of 503") && url.startsWith(`${BASE_URL}/media/`);
    if (busy) refusedPictures.add(url);
    const known = expected || blocked || slow || busy || (mayBeOffline && NO_CONNECTION.test(text));
    // What the server made of a part was thrown away: React calls it no error, since it recovers.
    const isAnew = text.startsWith("rendered anew") && !changedByOthers.has(page);
    const isFault = isAnew || ["error", "warning"].includes(message.type());
    if (isFault && !known) faults.push(`${text} (${url})`);
  });
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "";
    // The stream ends with the page; a step to another page ends what it no longer needs. Firefox
    // calls it NS_BASE_STREAM_CLOSED where an answer arrives while its reader already leaves.
    const ended = /ERR_ABORTED|NS_BINDING_ABORTED|NS_BASE_STREAM_CLOSED/.test(reason);
    const scriptless = options.javaScriptEnabled === false && request.resourceType() === "script";
    const offline = mayBeOffline && NO_CONNECTION.test(reason);
    if (!ended && !scriptless && !offline) faults.push(`${request.url()}: ${reason}`);
  });
}

/** Without a script no picture waits to be seen: a page is readable long before all are loaded. */
export const READABLE = { waitUntil: "domcontentloaded" } as const;

/** Opens a page and waits until React has taken it over; its pictures may come later. */
export async function open(page: Page, path: string): Promise<void> {
  await page.goto(path, { waitUntil: "domcontentloaded" });
  await alive(page);
}

/**
 * Opens a page and waits until it follows what changes: then all of it is hydrated, or it has waited ten
 * seconds for that.
 */
export async function openWhole(page: Page, path: string): Promise<PageResponse | null> {
  // Until it is there, the page of before may ask.
  let isThere = false;
  const note = (frame: Frame) => {
    isThere ||= frame === page.mainFrame();
  };
  page.on("framenavigated", note);
  const [answer] = await Promise.all([
    page.goto(path, { waitUntil: "commit" }),
    page.waitForRequest((request) => isThere && request.url().includes("/api/changes")),
  ]);
  page.off("framenavigated", note);
  return answer;
}

const PIXEL = Buffer.from("R0lGODlhAQABAAAAACwAAAAAAQABAAA=", "base64");

/** Answers what `page` asks for its photographs by a pixel: they take longest, and have their size without it. */
export async function withoutPhotographs(page: Page): Promise<void> {
  await page.route("**/media/**", (route) =>
    route.fulfill({ contentType: "image/gif", body: PIXEL }),
  );
}

/** Waits until React has taken the page over. */
export async function alive(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    Object.keys(document.body.firstElementChild ?? {}).some((key) => key.startsWith("__react")),
  );
}

/**
 * Goes to a part that React takes over when it comes near, and waits until it has. Before, its links
 * are the browser's, and lead to a new document; a step back from there says nothing of its end in
 * Firefox, which keeps the first document whole.
 */
export async function hydrated(part: Locator): Promise<Locator> {
  const keys = () => part.evaluate((element) => Object.keys(element).join());
  await part.scrollIntoViewIfNeeded();
  await expect.poll(keys).toContain("__react");
  return part;
}

/** Waits until what stands there is painted and told to who listens, which is in the frame after. */
export async function painted(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    await frame();
    await frame();
    await new Promise((resolve) => setTimeout(resolve));
  });
}

/** Waits until keys go to it, or to what it holds: a dialog takes the focus, and gives it back, a moment late. */
export async function takesKeys(target: Locator): Promise<void> {
  await expect
    .poll(() => target.evaluate((element) => element.contains(document.activeElement)))
    .toBe(true);
}

/**
 * What sticks (to the window, or to a table's edge) and lies over the middle of what has the focus, or that
 * this is outside the window; nothing where it can be seen.
 */
export function cover(page: Page): Promise<string | undefined> {
  return page.evaluate(() => {
    const { activeElement } = document;
    const [box] = activeElement?.getClientRects() ?? [];
    if (!activeElement || activeElement === document.body || !box) return undefined;
    let over = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    if (!over) return "outside the window";
    while (over && !["sticky", "fixed"].includes(getComputedStyle(over).position)) {
      over = over.parentElement;
    }
    return over?.contains(activeElement) ? undefined : over?.outerHTML.slice(0, 120);
  });
}

/** How often an answer that asks for patience is asked for again. */
const TRIES = 20;

/** What the site answers, once it no longer asks for patience (Retry-After, in seconds). */
export async function ask(path: string, init?: RequestInit): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(BASE_URL + path, init);
    const retryAfter = response.headers.get("retry-after");
    if (retryAfter === null || attempt === TRIES) return response;
    await response.body?.cancel();
    await new Promise((resolve) => setTimeout(resolve, Number(retryAfter) * 1_000));
  }
}

export interface ListedProperty {
  ref: string;
  price: number | null;
  title: string;
  newBuild?: boolean;
  location: { slug: string; name: string };
}

/** The properties that a search finds, straight from the API. */
export async function listed(query: string, locale = "en"): Promise<ListedProperty[]> {
  const response = await ask(`/api/properties?locale=${locale}${query}`);
  expect(response.status).toBe(200);
  const { items } = (await response.json()) as { items: ListedProperty[] };
  expect(items.length).toBeGreaterThan(0);
  return items;
}

/** A property that is for sale and whose price is known, with the path of its page. */
export async function anyProperty(): Promise<ListedProperty & { path: string; price: number }> {
  const property = (await listed("&status=for_sale")).find(({ price }) => price !== null);
  if (!property?.price) throw new Error("no property has a price");
  const path = `/property-for-sale/${property.location.slug}/${property.ref}`;
  return { ...property, price: property.price, path };
}

type Fields = Record<string, unknown>;

/** Saves a property's fields as an editor does. */
export const edit = (ref: string, fields: Fields) => save("properties", { ref }, fields);

/**
 * Saves a property's price as an editor does, and waits until the lists tell it: what comes after may be of
 * the same home.
 */
export async function editPrice(ref: string, price: number | null): Promise<void> {
  await edit(ref, { price });
  const told = async () => (await listed(`&q=${ref}`)).find((home) => home.ref === ref)?.price;
  await expect.poll(told).toBe(price);
}

/** Saves a page's fields as an editor does. */
export const editPage = (slug: string, fields: Fields) => save("pages", { slug }, fields);

/** Saves fields of the item that has the `key`, in the folder that the content pack watches. */
async function save(collection: string, key: Record<string, string>, fields: Fields) {
  const folder = process.env.CONTENT_DIR;
  if (!folder) throw new Error("CONTENT_DIR names no folder to edit in");
  const file = join(folder, `${collection}.json`);
  const items = JSON.parse(await readFile(file, "utf8")) as Fields[];
  const [[field, value] = []] = Object.entries(key);
  const edited = items.map((item) => (item[field ?? ""] === value ? { ...item, ...fields } : item));
  await writeFile(`${file}.new`, JSON.stringify(edited));
  await rename(`${file}.new`, file);
}
