import { read, write } from "#app/lib/browser/stored.ts";
import { neutralPath } from "#app/lib/i18n/locale.ts";

/** A search that was made on this device: what it was called, and its address without a language. */
export interface RecentSearch {
  label: string;
  url: string;
}

const KEY = "recent-searches";
const MOST = 5;
const LONGEST = 300;

/** The last searches, the newest first; none where others have left something else there. */
export function recentSearches(): RecentSearch[] {
  try {
    const kept: unknown = JSON.parse(read(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isRecentSearch).slice(0, MOST) : [];
  } catch {
    return [];
  }
}

/** Keeps a search as the newest one; the same one is kept once. */
export function rememberSearch(label: string, url: string): void {
  const search = { label: label.trim(), url: neutralPath(url) };
  if (isRecentSearch(search)) keep([search, ...without(search)]);
}

export function forgetSearch(search: RecentSearch): void {
  keep(without(search));
}

export function forgetSearches(): void {
  keep([]);
}

function without({ label, url }: RecentSearch): RecentSearch[] {
  const same = (text: string) => text.toLowerCase() === label.toLowerCase();
  return recentSearches().filter((each) => each.url !== url && !same(each.label));
}

function keep(searches: readonly RecentSearch[]): void {
  write(KEY, searches.length > 0 ? JSON.stringify(searches.slice(0, MOST)) : null);
}

/** Other scripts of the origin, or an older build, may have left anything there. */
function isRecentSearch(value: unknown): value is RecentSearch {
  if (typeof value !== "object" || value === null) return false;
  const { label, url } = value as Partial<RecentSearch>;
  return (
    typeof label === "string" &&
    label !== "" &&
    typeof url === "string" &&
    /^\/(?!\/)/.test(url) &&
    label.length + url.length <= LONGEST
  );
}
