import { type Metric, onCLS, onINP, onLCP } from "web-vitals";
import { takeRenderedAnew } from "./rendered-anew.ts";
import { type Figures, pageAt, type Report, refusesCounting, reportOf } from "./report.ts";

const ADDRESS = "/api/vitals";
/** The width below which pages use the phone layout. */
const PHONE = "(width < 40rem)";
const NAMES: Partial<Record<Metric["name"], keyof Figures>> = {
  LCP: "lcp",
  INP: "inp",
  CLS: "cls",
};

let counting = false;

/**
 * Measures how quickly this page appeared and responded, and reports it once the page is hidden. A page that
 * the browser restores from the back/forward cache is another visit. A navigation within the site is not,
 * since what is measured is the loading of a document.
 */
export function countVisit(): void {
  if (counting || refusesCounting(navigator)) return;
  counting = true;

  let page = pageAt(loadedPath());
  let figures: Figures = {};
  let isReported = false;

  const record = ({ name, value }: Metric) => {
    const figure = NAMES[name];
    if (figure) figures[figure] = value;
  };
  onLCP(record);
  // An interaction that the library has not processed when the page is hidden is reported only as a change.
  onINP(record, { reportAllChanges: true });
  onCLS(record);

  // The library listens to the same event in the capture phase, so by now it has recorded its last figures.
  addEventListener("visibilitychange", () => {
    if (document.visibilityState !== "hidden" || isReported) return;
    const where = { page, phone: matchMedia(PHONE).matches };
    const report = reportOf(where, figures, takeRenderedAnew());
    if (!report) return;
    isReported = true;
    send(report);
  });
  addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return;
    page = pageAt(location.pathname);
    figures = {};
    isReported = false;
  });
}

/** Returns the path that this document was loaded for: the visitor may have navigated since. */
function loadedPath(): string {
  const [navigation] = performance.getEntriesByType("navigation");
  return new URL(navigation?.name ?? location.href, location.href).pathname;
}

function send(report: Report): void {
  const body = new Blob([JSON.stringify(report)], { type: "application/json" });
  if (navigator.sendBeacon?.(ADDRESS, body)) return;
  // A failed report is dropped: the figures are not worth a retry.
  fetch(ADDRESS, { method: "POST", body, keepalive: true }).catch(() => {});
}
