import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";

/*
 * Runs Lighthouse's mobile preset on one page of each kind, and prints a Markdown table of medians:
 *
 *     npm run lighthouse -- http://127.0.0.1:8080
 *
 * Meant for developers who compare a change; a shared machine is too noisy for a gate.
 * The slow line is applied, not simulated: with a server on the same machine all pictures arrive before
 * the first paint, and a simulation would assume that the paint had waited for them.
 */

const RUNS = Number(process.env.RUNS ?? 5);
/** The event stream stays open: without this limit, Lighthouse would wait its maximum time for each page. */
const LOADED_WITHIN_MS = 15_000;
const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"];
const FLAGS = [
  "--headless=new",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const base = process.argv[2]?.replace(/\/$/, "");
if (!base) {
  console.error("usage: npm run lighthouse -- <base url>");
  process.exit(2);
}

const browser = await launch({
  chromePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  chromeFlags: FLAGS,
});
try {
  console.log(
    "| page | performance | accessibility | best practices | SEO | LCP | CLS | TBT | bytes |",
  );
  console.log("|---|---|---|---|---|---|---|---|---|");
  for (const [name, path] of await pages()) {
    await fetch(base + path); // The first request renders the page; the measured ones find it cached.
    const runs = [];
    for (let run = 0; run < RUNS; run++) runs.push(await measure(base + path));
    console.log(`| ${[name, ...medians(runs)].join(" | ")} |`);
  }
} finally {
  browser.kill();
}

/** Returns the path of one page of each kind. */
async function pages() {
  const { items: homes } = await read("/api/properties?locale=en&status=for_sale");
  const { items: news } = await read("/api/articles?locale=en");
  return [
    ["home", "/"],
    ["list", "/property-for-sale"],
    ["property", homes.find(({ images }) => images.length > 1).url],
    ["article", `/news/${news[0].slug}`],
  ];
}

async function read(path) {
  const response = await fetch(base + path);
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response.json();
}

async function measure(url) {
  const { lhr } = await lighthouse(url, {
    port: browser.port,
    logLevel: "error",
    throttlingMethod: "devtools",
    maxWaitForLoad: LOADED_WITHIN_MS,
  });
  if (lhr.runtimeError) throw new Error(`${url}: ${lhr.runtimeError.message}`);
  const figure = (id) => lhr.audits[id].numericValue;
  return [
    ...CATEGORIES.map((id) => lhr.categories[id].score * 100),
    figure("largest-contentful-paint"),
    figure("cumulative-layout-shift"),
    figure("total-blocking-time"),
    figure("total-byte-weight"),
  ];
}

function medians(runs) {
  const median = (at) => runs.map((run) => run[at]).toSorted((a, b) => a - b)[runs.length >> 1];
  const [lcp, cls, tbt, bytes] = [4, 5, 6, 7].map(median);
  return [
    ...CATEGORIES.map((_, at) => Math.round(median(at))),
    `${(lcp / 1000).toFixed(2)} s`,
    cls.toFixed(3),
    `${Math.round(tbt)} ms`,
    `${Math.round(bytes / 1024)} KB`,
  ];
}
