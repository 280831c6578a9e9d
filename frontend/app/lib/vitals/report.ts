import { neutralPath } from "#app/lib/i18n/locale.ts";

/** The kinds of pages that are distinguished; a report never names the page itself. */
type PageKind = "home" | "list" | "property" | "article" | "other";

/** The measurements of one visit, as far as the browser supports them. */
export interface Figures {
  /** Milliseconds until the largest element was painted (Largest Contentful Paint). */
  lcp?: number;
  /** Milliseconds from an interaction to the paint of its effect (Interaction to Next Paint). */
  inp?: number;
  /** How much the layout shifted unexpectedly (Cumulative Layout Shift). */
  cls?: number;
}

/** The report of one visit. */
export interface Report extends Figures {
  page: PageKind;
  phone: boolean;
  /** How many parts React rendered again. */
  renderedAnew?: number;
}

/** The door's limits (`services/site/src/calls/visits.rs`). It rejects a report that exceeds them. */
const MAX_VALUES = { lcp: 600_000, inp: 600_000, cls: 100, renderedAnew: 1_000 };

/** How many steps a millisecond and a layout shift of 1 are rounded to. */
const STEPS = { lcp: 1, inp: 1, cls: 10_000 };

/** Returns the kind of the page at `path`. */
export function pageAt(path: string): PageKind {
  const [section, ...rest] = neutralPath(path).split("/").filter(Boolean);
  if (section === undefined) return "home";
  if (section === "property-for-sale" && rest.length < 2) return "list";
  if (section === "property-for-sale" && rest.length === 2) return "property";
  if (section === "news" && rest.length === 1) return "article";
  return "other";
}

interface Signals {
  readonly doNotTrack?: string | null;
  /** The browser's Global Privacy Control, which refuses all sites at once. */
  readonly globalPrivacyControl?: boolean;
}

/** Returns whether this browser refuses to be counted at all. */
export function refusesCounting({ doNotTrack, globalPrivacyControl }: Signals): boolean {
  return doNotTrack === "1" || globalPrivacyControl === true;
}

/** Returns the report of a visit; undefined if nothing was measured. Figures out of range are omitted. */
export function reportOf(
  where: { page: PageKind; phone: boolean },
  figures: Figures,
  renderedAnew: number,
): Report | undefined {
  const report: Report = { page: where.page, phone: where.phone };
  for (const name of ["lcp", "inp", "cls"] as const) {
    const figure = figures[name];
    if (figure === undefined || !(figure >= 0 && figure <= MAX_VALUES[name])) continue;
    report[name] = Math.round(figure * STEPS[name]) / STEPS[name];
  }
  if (renderedAnew > 0) report.renderedAnew = Math.min(renderedAnew, MAX_VALUES.renderedAnew);
  return Object.keys(report).length > 2 ? report : undefined;
}
