import { existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { chromium } from "playwright-core";

/*
 * Measures one page of each kind on a slow phone, and prints Markdown tables of medians:
 *
 *     npm run first-second -- http://127.0.0.1:8080
 *
 * Uses a phone's window, a processor `CPU` times slower than this one (6), and Lighthouse's slow line
 * (`LINE=none` for this machine's own). Paints, text and each tap are measured in separate visits, `RUNS`
 * of each (5), so that no measurement delays another. Only browser APIs are used, so an older version of
 * the site can be measured beside a newer one.
 *
 * Meant for developers who compare a change; a shared machine is too noisy for a gate.
 */

const RUNS = Number(process.env.RUNS ?? 5);
const CPU = Number(process.env.CPU ?? 6);
/** As Lighthouse applies it without simulation: 1.6 Mbit/s, and 150 ms four times a request. */
const SLOW_LINE = {
  offline: false,
  latency: 562.5,
  downloadThroughput: (1.6 * 0.9 * 1024 * 1024) / 8,
  uploadThroughput: (750 * 0.9 * 1024) / 8,
};
const LINE = process.env.LINE === "none" ? undefined : SLOW_LINE;

const PHONE = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  hasTouch: true,
  // The service worker would affect later visits.
  serviceWorkers: "block",
};
const CHROMIUM =
  process.env.CHROMIUM ??
  ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"].find((each) => existsSync(each));

const MENU = "header button[popovertarget=menu]:not([popovertargetaction])";
/** The tapped elements by page. A panel's close button names the panel too, hence the `:not`. */
const TAPS = [
  ["home", "menu", MENU],
  ["list", "menu", MENU],
  ["list", "filters", "button[popovertarget=filters]:not([popovertargetaction])"],
  ["property", "first photograph", "button[popovertarget=photos]:not([popovertargetaction])"],
];

/** The timeout of a measurement, in milliseconds. */
const LIMIT = 60_000;
/** Paints later than this after the load are not counted, in milliseconds. */
const SETTLE_MS = 2_000;
/** How long a finger stays down in a tap, in milliseconds. */
const TAP_MS = 60;
/** The browser does not report shorter event durations, in milliseconds. */
const MIN_ANSWER = 16;

const base = process.argv[2]?.replace(/\/$/, "");
if (!base) {
  console.error("usage: npm run first-second -- <base url>");
  process.exit(2);
}

const browser = await chromium.launch({
  ...(CHROMIUM ? { executablePath: CHROMIUM } : {}),
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"],
});
try {
  const pages = await readPages();
  // The first request renders the page; the measured ones find it cached.
  for (const path of Object.values(pages)) await fetch(base + path);
  console.log(
    `Medians of ${RUNS}, processor ${CPU} times slower, ${LINE ? "slow" : "own"} line.\n`,
  );
  console.log("| page | first paint | largest paint | all text |");
  console.log("|---|---|---|---|");
  for (const [name, path] of Object.entries(pages)) {
    const paints = await repeat(() => visit(path, undefined, paintsOf));
    const text = await repeat(() => visit(path, watchText, textOf));
    const figures = [paints.map(({ first }) => first), paints.map(({ largest }) => largest), text];
    console.log(`| ${[name, ...figures.map((each) => seconds(median(each)))].join(" | ")} |`);
  }
  console.log(
    "\n| page | tapped in the first second | answered | slowest | what it opens is seen |",
  );
  console.log("|---|---|---|---|---|");
  for (const [name, what, selector] of TAPS) {
    const taps = await repeat((run) => tap(pages[name], selector, ((run + 0.5) / RUNS) * 1_000));
    const answers = taps.map(({ answered }) => answered);
    const opened = median(taps.map(({ opened }) => opened));
    const figures = [median(answers), Math.max(...answers), opened].map(milliseconds);
    console.log(`| ${[name, what, ...figures].join(" | ")} |`);
  }
} finally {
  await browser.close();
}

/** Returns the path of one page of each kind. */
async function readPages() {
  const { items: homes } = await read("/api/properties?locale=en&status=for_sale");
  const { items: news } = await read("/api/articles?locale=en");
  return {
    home: "/",
    list: "/property-for-sale",
    property: homes.find(({ images }) => images.length > 1).url,
    article: `/news/${news[0].slug}`,
  };
}

async function read(path) {
  const response = await fetch(base + path);
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response.json();
}

async function repeat(measure) {
  const figures = [];
  for (let run = 0; run < RUNS; run++) figures.push(await measure(run));
  return figures;
}

/** Opens a browser context with an empty cache. */
async function visitor() {
  const context = await browser.newContext(PHONE);
  context.setDefaultTimeout(LIMIT);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  if (LINE) await devtools.send("Network.emulateNetworkConditions", LINE);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: CPU });
  return { context, page, devtools };
}

/** Opens a page with `watch` injected, and returns what `figureOf` measures once it is loaded. */
async function visit(path, watch, figureOf) {
  const { context, page } = await visitor();
  try {
    if (watch) await page.addInitScript(watch);
    await page.goto(base + path, { waitUntil: "load" });
    await pause(SETTLE_MS);
    return await figureOf(page);
  } finally {
    await context.close();
  }
}

/** Returns the first and the largest paint of a page, in milliseconds. */
function paintsOf(page) {
  return page.evaluate(async () => {
    const largest = await new Promise((resolve) => {
      new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime)).observe({
        type: "largest-contentful-paint",
        buffered: true,
      });
    });
    return { first: performance.getEntriesByName("first-contentful-paint")[0].startTime, largest };
  });
}

/** Returns when all text of a page is readable, in milliseconds. */
function textOf(page) {
  return page.evaluate(() => window.textAt());
}

/**
 * Runs in the page. `textAt` returns when the last of the document's visible text became readable: it is
 * laid out, nothing hides it, and no font is loading.
 */
function watchText() {
  const readable = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const withText = () => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const elements = new Set();
    while (texts.nextNode()) {
      const { nodeValue, parentElement } = texts.currentNode;
      if (nodeValue.trim() && !parentElement.matches("script, style")) elements.add(parentElement);
    }
    return elements;
  };
  const fontsAreLoading = () =>
    [...document.fonts].some(
      ({ status, display }) => status === "loading" && (display === "auto" || display === "block"),
    );
  let hidden;
  let last = 0;
  const look = () => {
    if (document.readyState !== "loading" && !fontsAreLoading()) {
      hidden ??= withText();
      for (const element of hidden) {
        if (!readable(element)) continue;
        hidden.delete(element);
        last = performance.now();
      }
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  window.textAt = () =>
    Math.max(last, performance.getEntriesByName("first-contentful-paint")[0].startTime);
}

/**
 * Taps the element of `selector` `delay` milliseconds after it is visible, even if the page is busy, and
 * returns how long it took until a paint answered the tap, and until the panel was open.
 */
async function tap(path, selector, delay) {
  const { context, page, devtools } = await visitor();
  try {
    const { promise, resolve } = Promise.withResolvers();
    await page.exposeFunction("isSeen", resolve);
    await page.addInitScript(watchTap, selector);
    const opened = page.goto(base + path, { waitUntil: "load" });
    const seen = await Promise.race([
      promise,
      pause(LIMIT, undefined, { ref: false }).then(() => {
        throw new Error(`${path}: there is no ${selector}`);
      }),
    ]);
    await pause(delay);
    const touch = (type, touchPoints) =>
      devtools.send("Input.dispatchTouchEvent", { type, touchPoints });
    // A real finger does not wait for an answer.
    const down = touch("touchStart", [seen]);
    await pause(TAP_MS);
    await Promise.all([down, touch("touchEnd", [])]);
    await page.waitForFunction(() => window.openedAfter !== undefined);
    await opened;
    await pause(SETTLE_MS);
    const [longest, opensAfter] = await page.evaluate(() => [
      window.longestAnswer,
      window.openedAfter,
    ]);
    return { answered: Math.max(MIN_ANSWER, longest), opened: opensAfter };
  } finally {
    await context.close();
  }
}

/** Runs in the page, and reports the centre of the element to tap once it is visible. */
function watchTap(selector) {
  const OPEN = ":popover-open, dialog[open], [role=dialog]";
  window.longestAnswer = 0;
  window.openedAfter = undefined;
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries()) {
      if (interactionId) window.longestAnswer = Math.max(window.longestAnswer, duration);
    }
  }).observe({ type: "event", durationThreshold: 16, buffered: true });
  addEventListener(
    "click",
    ({ timeStamp }) => {
      const before = new Set(document.querySelectorAll(OPEN));
      const look = () => {
        const after = [...document.querySelectorAll(OPEN)];
        const isOpen = after.some((each) => !before.has(each) && each.checkVisibility());
        if (isOpen) window.openedAfter = performance.now() - timeStamp;
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    },
    { capture: true, once: true },
  );
  const find = () => {
    const isPainted = performance.getEntriesByName("first-contentful-paint").length > 0;
    const target = isPainted && document.querySelector(selector);
    if (!target) return requestAnimationFrame(find);
    const inWindow = ({ top, bottom }) => top >= 0 && bottom <= innerHeight;
    if (!inWindow(target.getBoundingClientRect())) target.scrollIntoView({ block: "center" });
    const { x, y, width, height } = target.getBoundingClientRect();
    window.isSeen({ x: x + width / 2, y: y + height / 2 });
  };
  requestAnimationFrame(find);
}

function median(figures) {
  return figures.toSorted((a, b) => a - b)[figures.length >> 1];
}

function seconds(figure) {
  return `${(figure / 1000).toFixed(2)} s`;
}

function milliseconds(figure) {
  return `${Math.round(figure)} ms`;
}
