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

/** The address of the running site. */
export const BASE_URL = process.env.SITE_URL ?? "";

/** Whether the browser is Firefox rather than Chromium. */
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
  // So that text is rendered alike in headed and headless mode.
  "--font-render-hinting=none",
];

/** The headless shell opens a page in half the time of full Chromium. */
const CHROMIUM =
  process.env.CHROMIUM ??
  ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"].find((each) => existsSync(each));

/** What the browser logs for requests without a connection. */
const NO_CONNECTION = /ERR_INTERNET_DISCONNECTED|ERR_FAILED|status of 503/;

/** Options of a visitor in another time zone than the server. */
export const ABROAD = { timezoneId: "America/New_York" } as const;

let browser: Browser;
const contexts: BrowserContext[] = [];
const faults: string[] = [];
/** Pages whose document is changed by translators or extensions: React may render changed parts again. */
export const changedByOthers = new WeakSet<Page>();
/** The addresses of pictures that the busy site refused. */
const refusedPictures = new Set<string>();

beforeAll(async () => {
  browser = FIREFOX
    ? await firefox.launch({
        // The installed Firefox, driven by WebDriver BiDi. Playwright from 1.65 on uses features that
        // Debian's version (153) does not have yet.
        channel: "moz-firefox",
        executablePath: process.env.FIREFOX ?? "/usr/bin/firefox-esr",
      })
    : await chromium.launch({
        ...(CHROMIUM ? { executablePath: CHROMIUM } : {}),
        args: FLAGS,
      });
});

afterAll(() => browser.close());

/** After each test the browser must not have logged any unexpected fault. */
afterEach(async ({ task }) => {
  if (task.result?.state === "fail") await takeScreenshots(task.name);
  await Promise.all(contexts.splice(0).map((context) => context.close()));
  const found = faults.splice(0);
  const refused = [...refusedPictures];
  refusedPictures.clear();
  // In the message, since a JSON report has only that of a failure.
  expect(found, found.join("\n")).toEqual([]);
  for (const url of refused) {
    const { status } = await ask(url.slice(BASE_URL.length));
    expect([url, status]).toEqual([url, 200]);
  }
});

/** Takes a screenshot of each page when a test has failed. */
async function takeScreenshots(test: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (!folder) return;
  const pages = contexts.flatMap((context) => context.pages());
  for (const [number, page] of pages.entries()) {
    const name = `failed-${test.replaceAll(/\W+/g, "-")}-${number + 1}.png`;
    await page.screenshot({ path: join(folder, name) }).catch(() => undefined);
  }
}

/**
 * Removes the expected faults that the browser has logged so far; there have to be at `least` that many.
 * All others fail the test.
 */
export function expectFaults(expected: RegExp, least = 1): void {
  const found = faults.splice(0);
  faults.push(...found.filter((line) => !expected.test(line)));
  const meant = found.length - faults.length;
  expect(meant, `${expected} among:\n${found.join("\n")}`).toBeGreaterThanOrEqual(least);
}

/** Opens a page of a new visitor. Faults that any of the visitor's pages logs fail the test. */
export async function visitor(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({
    baseURL: BASE_URL,
    viewport: { width: 1280, height: 900 },
    // A worker would bypass the test's interception; it has its own tests.
    serviceWorkers: "block",
    ...options,
  });
  contexts.push(context);
  context.setDefaultTimeout(60_000);
  // Firefox does not always log a violation of the policy as an error.
  await context.addInitScript(() => {
    addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
      console.error(`policy: ${violatedDirective} ${blockedURI}`);
    });
  });
  context.on("weberror", (fault) => {
    const error = fault.error();
    // Firefox cancels scripts that are loading when a page is left, and reports that as an error.
    const calledOff = FIREFOX && error.message === "undefined has no properties";
    // The router skips a view transition if the next navigation follows, and does not catch the rejection.
    const cutShort = /^Skipped ViewTransition due to skipTransition\(\) call/.test(error.message);
    if (!calledOff && !cutShort) faults.push(`uncaught: ${error} (${fault.location().url})`);
  });
  context.on("page", (page) => recordFaults(page, options));
  return context.newPage();
}

/** Records the faults of a visitor's page, including pages opened by other pages. */
function recordFaults(page: Page, options: BrowserContextOptions): void {
  const mayBeOffline = options.serviceWorkers === "allow";
  page.on("console", (message) => {
    const text = message.text();
    const { url } = message.location();
    // A document with the status 404 or 410 is logged as an error of its own address.
    const missing = /404 \(Not Found\)|410 \(Gone\)/.test(text);
    const expected = missing && url === page.url();
    const blocked = text === "Service Worker registration blocked by Playwright";
    // Without a graphics card Chromium logs that a map is slow.
    const slow = text.includes("GPU stall due to ReadPixels");
    // A small machine may take longer for a picture than the door waits. The page retries, and so does
    // the end of the test.
    const busy = text.includes("status of 503") && url.startsWith(`${BASE_URL}/media/`);
    if (busy) refusedPictures.add(url);
    const known = expected || blocked || slow || busy || (mayBeOffline && NO_CONNECTION.test(text));
    // React threw the server's HTML away. It does not log an error, since it recovers.
    const isAnew = text.startsWith("rendered anew") && !changedByOthers.has(page);
    const isFault = isAnew || ["error", "warning"].includes(message.type());
    if (isFault && !known) faults.push(`${text} (${url})`);
  });
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "";
    // The stream ends with the page; a navigation cancels requests that it no longer needs. Firefox
    // reports NS_BASE_STREAM_CLOSED if an answer arrives while its reader is leaving.
    const ended = /ERR_ABORTED|NS_BINDING_ABORTED|NS_BASE_STREAM_CLOSED/.test(reason);
    const scriptless = options.javaScriptEnabled === false && request.resourceType() === "script";
    const offline = mayBeOffline && NO_CONNECTION.test(reason);
    if (!ended && !scriptless && !offline) faults.push(`${request.url()}: ${reason}`);
  });
}

/** Without a script pictures don't load lazily: a page is readable long before the load event. */
export const READABLE = { waitUntil: "domcontentloaded" } as const;

/** Opens a page and waits until it is hydrated; pictures may load later. */
export async function open(page: Page, path: string): Promise<void> {
  await page.goto(path, { waitUntil: "domcontentloaded" });
  await alive(page);
}

/**
 * Opens a page and waits until it follows the change stream: by then all of it is hydrated, or ten seconds
 * have passed.
 */
export async function openWhole(page: Page, path: string): Promise<PageResponse | null> {
  // Before that, the request may come from the previous page.
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

/** Replaces photographs by a pixel: they are slow to load, and their size is in the HTML. */
export async function withoutPhotographs(page: Page): Promise<void> {
  await page.route("**/media/**", (route) =>
    route.fulfill({ contentType: "image/gif", body: PIXEL }),
  );
}

/** Waits until React has hydrated the page. */
export async function alive(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    Object.keys(document.body.firstElementChild ?? {}).some((key) => key.startsWith("__react")),
  );
}

/**
 * Scrolls to a part that is hydrated when it comes near, and waits until it is. Before that, its links load
 * a new document; in Firefox, which restores the first document from its cache, a step back from there
 * fires no load event.
 */
export async function hydrated(part: Locator): Promise<Locator> {
  const keys = () => part.evaluate((element) => Object.keys(element).join());
  await part.scrollIntoViewIfNeeded();
  await expect.poll(keys).toContain("__react");
  return part;
}

/** Waits until the current state is painted and reported to observers, which happens one frame later. */
export async function painted(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    await frame();
    await frame();
    await new Promise((resolve) => setTimeout(resolve));
  });
}

/** Whether `target` has the focus. */
export function hasFocus(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element === document.activeElement).catch(() => false);
}

/** Waits until `target` has the focus, which may move a moment after a key. */
export async function waitForFocus(target: Locator): Promise<void> {
  await expect.poll(() => hasFocus(target)).toBe(true);
}

/** Waits until the focus is on or within `target`: dialogs take and return the focus with a delay. */
export async function takesKeys(target: Locator): Promise<void> {
  await expect
    .poll(() => target.evaluate((element) => element.contains(document.activeElement)))
    .toBe(true);
}

/**
 * Returns the sticky element (at the window's or a table's edge) that covers the middle of the focused
 * element, or says that the focused element is outside the window; undefined if it is visible.
 */
export function coveringElement(page: Page): Promise<string | undefined> {
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

/** Returns a price as the pages of a language show it. */
export function euros(price: number, language = "en-GB"): string {
  return new Intl.NumberFormat(language, {
    style: "currency",
    currency: "EUR",
    maximumFractionDigits: 0,
    useGrouping: "always",
  }).format(price);
}

/** The maximum number of retries of a request that is answered with Retry-After. */
const TRIES = 20;

/** Requests a path, and retries while the site answers with Retry-After (in seconds). */
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

/** Returns the properties that a search finds, from the API. */
export async function listed(query: string, locale = "en"): Promise<ListedProperty[]> {
  const response = await ask(`/api/properties?locale=${locale}${query}`);
  expect(response.status).toBe(200);
  const { items } = (await response.json()) as { items: ListedProperty[] };
  expect(items.length).toBeGreaterThan(0);
  return items;
}

/** Returns a property for sale with a price, and the path of its page. */
export async function anyProperty(): Promise<ListedProperty & { path: string; price: number }> {
  const property = (await listed("&status=for_sale")).find(({ price }) => price !== null);
  if (!property?.price) throw new Error("no property has a price");
  const path = `/property-for-sale/${property.location.slug}/${property.ref}`;
  return { ...property, price: property.price, path };
}

/** The asking prices of homes that are comparable to one. */
interface ComparedPrices {
  location: { name: string };
  homes: number;
  price: number;
  lowest: number;
  highest: number;
  median: number;
}

/** Returns the first home of a search whose price is compared with others, with that comparison. */
export async function comparedHome(
  query: string,
): Promise<{ homes: ComparedPrices; path: string } | undefined> {
  for (const { ref, location } of await listed(query)) {
    const answer = await ask(`/api/properties/${ref}/comparable?locale=en`);
    const { homes } = (await answer.json()) as { homes: ComparedPrices | null };
    if (homes) return { homes, path: `/property-for-sale/${location.slug}/${ref}` };
  }
  return undefined;
}

type Fields = Record<string, unknown>;

/** Saves a property's fields as an editor does. */
export const edit = (ref: string, fields: Fields) => save("properties", { ref }, fields);

/**
 * Saves a property's price as an editor does, and waits until the lists show it, since a later test may use
 * the same home.
 */
export async function editPrice(ref: string, price: number | null): Promise<void> {
  await edit(ref, { price });
  const told = async () => (await listed(`&q=${ref}`)).find((home) => home.ref === ref)?.price;
  await expect.poll(told).toBe(price);
}

/** Saves a page's fields as an editor does. */
export const editPage = (slug: string, fields: Fields) => save("pages", { slug }, fields);

/** Saves fields of the item with `key`, in the folder that the content pack watches. */
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
