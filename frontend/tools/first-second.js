import { existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { chromium } from "playwright-core";

/*
 * What a visitor with a slow telephone gets of one page of each kind, as Markdown tables of medians:
 *
 *     npm run first-second -- http://127.0.0.1:8080
 *
 * A telephone's window, a processor `CPU` times slower than this one (6), and the slow line that
 * Lighthouse means (`LINE=none` for this machine's own). Paints, text and each tap are measured in
 * visits of their own, `RUNS` of each (5), so that no measuring holds up another. A page is known only
 * by what browsers know, so an older version of the site can be measured beside a newer one.
 *
 * For the one who changes something and wants to know; a shared machine is too noisy to gate on.
 */

const RUNS = Number(process.env.RUNS ?? 5);
const CPU = Number(process.env.CPU ?? 6);
/** As Lighthouse applies it where it does not simulate: 1.6 Mbit/s, and 150 ms four times a request. */
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
  // What it does is another visit's.
  serviceWorkers: "block",
};
const CHROMIUM =
  process.env.CHROMIUM ??
  ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"].find((each) => existsSync(each));

const MENU = "header button[popovertarget=menu]:not([popovertargetaction])";
/** What is tapped on which page; what closes a panel names it too, and says what it does. */
const TAPS = [
  ["home", "menu", MENU],
  ["list", "menu", MENU],
  ["list", "filters", "button[popovertarget=filters]:not([popovertargetaction])"],
  ["property", "first photograph", "button[popovertarget=photos]:not([popovertargetaction])"],
];

/** What is late is waited for so long, in milliseconds. */
const LIMIT = 60_000;
/** What comes still later after a page is loaded is not counted. */
const SETTLES = 2_000;
/** How long a finger rests in a tap. */
const FINGER = 60;
/** Shorter answers the browser does not tell of. */
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
  // The first visitor makes the page; the measured ones find it made.
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

/** The address of one page of each kind. */
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

/** A visitor whose browser has nothing yet. */
async function visitor() {
  const context = await browser.newContext(PHONE);
  context.setDefaultTimeout(LIMIT);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  if (LINE) await devtools.send("Network.emulateNetworkConditions", LINE);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: CPU });
  return { context, page, devtools };
}

/** Opens a page, with `watch` in it from the beginning, and tells what `figureOf` it is once it is loaded. */
async function visit(path, watch, figureOf) {
  const { context, page } = await visitor();
  try {
    if (watch) await page.addInitScript(watch);
    await page.goto(base + path, { waitUntil: "load" });
    await pause(SETTLES);
    return await figureOf(page);
  } finally {
    await context.close();
  }
}

/** The paints of a page, in milliseconds. */
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

/** When all text of a page can be read, in milliseconds. */
function textOf(page) {
  return page.evaluate(() => window.textAt());
}

/**
 * Runs in the page. `textAt` tells when the last of the document's text could be read that can be read at
 * all: it is laid out, nothing hides it, and no letters are waited for.
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
  const lettersAreWaitedFor = () =>
    [...document.fonts].some(
      ({ status, display }) => status === "loading" && (display === "auto" || display === "block"),
    );
  let hidden;
  let last = 0;
  const look = () => {
    if (document.readyState !== "loading" && !lettersAreWaitedFor()) {
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
 * Taps what `selector` finds `delay` milliseconds after it can be seen, whatever the page is busy with, and
 * tells how long it took to be answered by a paint, and to open what it opens.
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
    // A finger waits for no answer.
    const down = touch("touchStart", [seen]);
    await pause(FINGER);
    await Promise.all([down, touch("touchEnd", [])]);
    await page.waitForFunction(() => window.openedAfter !== undefined);
    await opened;
    await pause(SETTLES);
    const [longest, opensAfter] = await page.evaluate(() => [
      window.longestAnswer,
      window.openedAfter,
    ]);
    return { answered: Math.max(MIN_ANSWER, longest), opened: opensAfter };
  } finally {
    await context.close();
  }
}

/** Runs in the page, and tells where the middle of what is to be tapped is once it can be seen. */
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
