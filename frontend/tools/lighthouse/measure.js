import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";

/*
 * Lighthouse's mobile phone on one page of each kind, as a Markdown table of medians:
 *
 *     npm run lighthouse -- http://127.0.0.1:8080
 *
 * For the one who changes something and wants to know; a shared machine is too noisy to gate on.
 * The slow line is applied, not simulated: from a server on the same machine all pictures are there before
 * the first paint, and a simulation takes that paint to have waited for them.
 */

const RUNS = Number(process.env.RUNS ?? 5);
/** The stream of changes stays open: without a limit, each page is waited for as long as Lighthouse does. */
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
    await fetch(base + path); // The first visitor makes the page; the measured ones find it made.
    const runs = [];
    for (let run = 0; run < RUNS; run++) runs.push(await measure(base + path));
    console.log(`| ${[name, ...medians(runs)].join(" | ")} |`);
  }
} finally {
  browser.kill();
}

/** One page of each kind. */
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
