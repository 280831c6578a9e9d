import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const REPOSITORY = new URL("../..", import.meta.url).pathname;
const read = (path: string) => readFileSync(join(REPOSITORY, path), "utf8");

/** The names stored on a visitor's device, by the file that stores them. */
const STORED: Record<string, readonly string[]> = {
  "frontend/app/features/enquiry/enquiry-form.tsx": ["enquiry"],
  "frontend/app/features/search/type-ahead/recent-searches.ts": ["recent-searches"],
  "frontend/app/features/shell/language-links.tsx": ["language"],
  "frontend/app/lib/router-internals/carried-state.ts": ["carried-state"],
  "frontend/app/lib/browser/replay-storage-events.ts": [],
  "frontend/app/lib/browser/stored.ts": [],
  "frontend/app/lib/consent/choice.ts": ["consent"],
  "frontend/app/lib/enquiry/carried-draft.ts": [],
  "frontend/app/lib/enquiry/draft.ts": ["carried-draft"],
  "frontend/app/lib/enquiry/sender.ts": ["enquiry-sender"],
  "frontend/app/lib/my-homes/last-look.ts": ["last-looks"],
  "frontend/app/lib/my-homes/store.ts": ["my-homes"],
  "frontend/app/lib/preview/preview.ts": ["almijara-preview"],
  "frontend/app/lib/release/lost-script.ts": ["reloaded-at"],
  "frontend/app/lib/theme/theme.ts": ["theme"],
  "frontend/app/lib/units/units.ts": ["units"],
  "frontend/app/root.tsx": ["scroll-positions"],
  "frontend/app/service-worker/store.ts": [
    "almijara-pages-1",
    "almijara-files-1",
    "almijara-favourites-1",
  ],
  "services/command/src/account/cookies.rs": [
    "__Host-session",
    "__Host-sign-in",
    "__Host-device",
    "account",
  ],
  "services/site/src/pages/language.rs": ["language"],
  "services/site/src/previews/preview.rs": ["almijara_preview"],
  "services/site/src/previews/language.rs": ["almijara_preview_language"],
  "services/site/src/previews/staging.rs": ["almijara_preview_staging"],
};

/** Includes the router's own component that stores something. */
const BROWSER_STORES =
  /\b(?:local|session)Storage\b|\bstored\.ts"|document\.cookie =|\bcaches\.open\(|\bindexedDB\b|<ScrollRestoration\b/;
const SERVER_STORES = /\b(?:insert|append)\(header::SET_COOKIE|\bCookie::build\(/;

/** Returns the sources below `folder`, without tests. */
function sources(folder: string): string[] {
  return readdirSync(join(REPOSITORY, folder), { withFileTypes: true, recursive: true })
    .map((entry) => join(entry.parentPath, entry.name).slice(REPOSITORY.length))
    .filter((path) => /\.(tsx?|js|rs)$/.test(path) && !/\.test\.tsx?$|\.gen\.ts$/.test(path));
}

/** The text of the page about cookies in each language. */
const pages = (
  JSON.parse(read("deploy/content/pages.json")) as {
    slug: string;
    translations: { languages_code: string; body: string }[];
  }[]
)
  .find(({ slug }) => slug === "cookies")
  ?.translations.map(({ languages_code: language, body }) => [language, body] as const);

test("each file that stores something on a device is listed here, with the names that it uses", () => {
  const storing = [
    ...["frontend/app", "frontend/public"]
      .flatMap(sources)
      .filter((path) => BROWSER_STORES.test(read(path))),
    ...["services/command/src", "services/site/src"]
      .flatMap(sources)
      .filter((path) => SERVER_STORES.test(read(path))),
  ];
  expect(storing.length).toBeGreaterThan(10);
  expect(storing.filter((path) => !(path in STORED))).toEqual([]);
  for (const [path, names] of Object.entries(STORED)) {
    for (const name of names)
      expect([path, read(path)]).toEqual([path, expect.stringContaining(name)]);
  }
});

test("the page about cookies exists in both languages", () => {
  expect(pages?.map(([language]) => language.slice(0, 2)).sort()).toEqual(["en", "es"]);
});

test.each(pages ?? [])(
  "the page about cookies names everything stored and nothing else, in %s",
  (_, body) => {
    const named = Array.from(body.matchAll(/<code>([^<]+)<\/code>/g), ([, name]) => name);
    expect([...new Set(named)].sort()).toEqual([...new Set(Object.values(STORED).flat())].sort());
  },
);

test.each(pages ?? [])("it states the durations of the code, in %s", (_, body) => {
  const row = (name: string) =>
    body.split("<tr>").find((text) => text.includes(`<code>${name}</code>`)) ?? "";
  const days = (path: string, pattern: RegExp) => Number(pattern.exec(read(path))?.[1]);
  const cookies = "services/command/src/account/cookies.rs";
  for (const [name, count] of [
    ["language", days("frontend/app/features/shell/language-links.tsx", /= (\d+) \* 24/)],
    ["consent", days("frontend/app/lib/consent/choice.ts", /= (\d+) \* 24/)],
    ["almijara-pages-1", days("frontend/app/service-worker/store.ts", /MAX_KEPT_MS = (\d+) \* 24/)],
    ["almijara-pages-1", days("frontend/app/service-worker/store.ts", /MAX_PAGES = (\d+)/)],
    ["__Host-session", days(cookies, /SESSION_LIMIT: Duration = Duration::days\((\d+)/)],
    ["__Host-sign-in", days(cookies, /BROWSER_LIMIT: Duration = Duration::minutes\((\d+)/)],
    ["__Host-device", days(cookies, /DEVICE_LIMIT: Duration = Duration::days\((\d+)/)],
  ] as const) {
    expect([name, row(name)]).toEqual([name, expect.stringMatching(new RegExp(`\\b${count}\\b`))]);
  }
});
