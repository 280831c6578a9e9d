const BROWSERS = [
  ["Edg", "Edge"],
  ["OPR", "Opera"],
  ["SamsungBrowser", "Samsung Internet"],
  ["Firefox", "Firefox"],
  ["FxiOS", "Firefox"],
  ["CriOS", "Chrome"],
  ["Chrome", "Chrome"],
  ["Safari", "Safari"],
] as const;

const SYSTEMS = [
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Android", "Android"],
  ["Windows", "Windows"],
  ["Mac OS", "Mac"],
  ["CrOS", "Chromebook"],
  ["Linux", "Linux"],
] as const;

/** Returns a readable name of a browser, as far as its user agent reveals one: "Firefox, Windows". */
export function deviceName(userAgent: string | null | undefined): string | undefined {
  const named = (names: readonly (readonly [string, string])[]) =>
    names.find(([mark]) => userAgent?.includes(mark))?.[1];
  return [named(BROWSERS), named(SYSTEMS)].filter(Boolean).join(", ") || undefined;
}
