import { type Metric, onCLS, onINP, onLCP } from "web-vitals";
import { takeRenderedAnew } from "./rendered-anew.ts";
import { type Figures, pageAt, type Report, refusesCounting, reportOf } from "./report.ts";

const ADDRESS = "/api/vitals";
/** Where the pages stop being laid out for a telephone. */
const PHONE = "(width < 40rem)";
const NAMES: Partial<Record<Metric["name"], keyof Figures>> = {
  LCP: "lcp",
  INP: "inp",
  CLS: "cls",
};

let counting = false;

/**
 * Measures how quickly this page appeared and answered, and tells the site once it is hidden. A page
 * that the browser brings back as it was is another visit; a step to another page within the site is
 * not, since what is measured is the loading of a document.
 */
export function countVisit(): void {
  if (counting || refusesCounting(navigator)) return;
  counting = true;

  let page = pageAt(loadedPath());
  let figures: Figures = {};
  let told = false;

  const note = ({ name, value }: Metric) => {
    const figure = NAMES[name];
    if (figure) figures[figure] = value;
  };
  onLCP(note);
  // A press that the library has not looked at yet as the page is hidden is told of as a change only.
  onINP(note, { reportAllChanges: true });
  onCLS(note);

  // The library listens to the same on the way down, so by now it has noted its last figures.
  addEventListener("visibilitychange", () => {
    if (document.visibilityState !== "hidden" || told) return;
    const where = { page, phone: matchMedia(PHONE).matches };
    const report = reportOf(where, figures, takeRenderedAnew());
    if (!report) return;
    told = true;
    tell(report);
  });
  addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return;
    page = pageAt(location.pathname);
    figures = {};
    told = false;
  });
}

/** The path that this document was loaded for: the visitor may have gone on since. */
function loadedPath(): string {
  const [navigation] = performance.getEntriesByType("navigation");
  return new URL(navigation?.name ?? location.href, location.href).pathname;
}

function tell(report: Report): void {
  const body = new Blob([JSON.stringify(report)], { type: "application/json" });
  if (navigator.sendBeacon?.(ADDRESS, body)) return;
  // Whoever can't be told now is not told: a figure is not worth a second try.
  fetch(ADDRESS, { method: "POST", body, keepalive: true }).catch(() => {});
}
