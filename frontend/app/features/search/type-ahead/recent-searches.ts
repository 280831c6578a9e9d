import { read, write } from "#app/lib/browser/stored.ts";
import { neutralPath } from "#app/lib/i18n/locale.ts";

/** A search that was made on this device: its label, and its address without the language. */
export interface RecentSearch {
  label: string;
  url: string;
}

const KEY = "recent-searches";
const MAX_SEARCHES = 5;
/** In characters, for the label and the address together. */
const MAX_LENGTH = 300;

/** Returns the last searches, the newest first. Returns none if the stored value is invalid. */
export function recentSearches(): RecentSearch[] {
  try {
    const stored: unknown = JSON.parse(read(KEY) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isRecentSearch).slice(0, MAX_SEARCHES) : [];
  } catch {
    return [];
  }
}

/** Stores a search as the newest one. An earlier entry of the same search is removed. */
export function rememberSearch(label: string, url: string): void {
  const search = { label: label.trim(), url: neutralPath(url) };
  if (isRecentSearch(search)) store([search, ...without(search)]);
}

export function forgetSearch(search: RecentSearch): void {
  store(without(search));
}

export function forgetSearches(): void {
  store([]);
}

function without({ label, url }: RecentSearch): RecentSearch[] {
  const same = (text: string) => text.toLowerCase() === label.toLowerCase();
  return recentSearches().filter((each) => each.url !== url && !same(each.label));
}

function store(searches: readonly RecentSearch[]): void {
  write(KEY, searches.length > 0 ? JSON.stringify(searches.slice(0, MAX_SEARCHES)) : null);
}

/** Checks a stored value: other scripts of the origin, or an older build, may have stored anything. */
function isRecentSearch(value: unknown): value is RecentSearch {
  if (typeof value !== "object" || value === null) return false;
  const { label, url } = value as Partial<RecentSearch>;
  return (
    typeof label === "string" &&
    label !== "" &&
    typeof url === "string" &&
    /^\/(?!\/)/.test(url) &&
    label.length + url.length <= MAX_LENGTH
  );
}
