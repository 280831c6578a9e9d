/** The kinds of pages that are told apart; a report never says which page it was. */
type PageKind = "home" | "list" | "property" | "article" | "other";

/** What was measured of one visit, as far as its browser can. */
export interface Figures {
  /** Milliseconds until the largest part of the page was seen (Largest Contentful Paint). */
  lcp?: number;
  /** Milliseconds from a touch to what it changed (Interaction to Next Paint). */
  inp?: number;
  /** How far the page moved by itself (Cumulative Layout Shift). */
  cls?: number;
}

/** What the site is told of one visit. */
export interface Report extends Figures {
  page: PageKind;
  phone: boolean;
  /** How many parts React rendered anew. */
  renderedAnew?: number;
}

/** What the door takes (`services/site/src/visits.rs`). It refuses a report with more. */
const MOST = { lcp: 600_000, inp: 600_000, cls: 100, renderedAnew: 1_000 };

/** The parts of a millisecond and of a shift that are worth telling. */
const STEPS = { lcp: 1, inp: 1, cls: 10_000 };

/** What stands at `path`. */
export function pageAt(path: string): PageKind {
  const [section, ...rest] = path
    .replace(/^\/es(?=\/|$)/, "")
    .split("/")
    .filter(Boolean);
  if (section === undefined) return "home";
  if (section === "property-for-sale" && rest.length < 2) return "list";
  if (section === "property-for-sale" && rest.length === 2) return "property";
  if (section === "news" && rest.length === 1) return "article";
  return "other";
}

interface Signals {
  readonly doNotTrack?: string | null;
  /** The browser's Global Privacy Control: a no to everybody at once. */
  readonly globalPrivacyControl?: boolean;
}

/** Whether this browser says no to being counted, however little is told. */
export function refusesCounting({ doNotTrack, globalPrivacyControl }: Signals): boolean {
  return doNotTrack === "1" || globalPrivacyControl === true;
}

/** What is told of a visit; nothing where nothing is known. A figure out of all bounds is left out. */
export function reportOf(
  where: { page: PageKind; phone: boolean },
  figures: Figures,
  renderedAnew: number,
): Report | undefined {
  const report: Report = { page: where.page, phone: where.phone };
  for (const name of ["lcp", "inp", "cls"] as const) {
    const figure = figures[name];
    if (figure === undefined || !(figure >= 0 && figure <= MOST[name])) continue;
    report[name] = Math.round(figure * STEPS[name]) / STEPS[name];
  }
  if (renderedAnew > 0) report.renderedAnew = Math.min(renderedAnew, MOST.renderedAnew);
  return Object.keys(report).length > 2 ? report : undefined;
}
