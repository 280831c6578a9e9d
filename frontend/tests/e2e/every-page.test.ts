import type { BrowserContextOptions, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { everyTemplate, examples, MISSING, spanish } from "./addresses.ts";
import { EVERY_LOOK, faults, type Look } from "./axe.ts";
import { call, newAddress, signIn } from "./mail.ts";
import { hiddenOn, SCREENS } from "./reflow.ts";
import { ABROAD, listed, openWhole, visitor, withoutPhotographs } from "./site.ts";

type Language = "en" | "es";

/** On a phone the map replaces the list; on a desktop it is beside it. */
const MAP = "/property-for-sale?view=map";

const templates = await everyTemplate();
const kinds = new Set(await examples());

/**
 * How a page is checked: a route's first page in every way, an example of another kind on a desktop in
 * English and on a phone in Spanish, and an editors' page once in each language. Both languages have the
 * same colours.
 */
function looksOf(path: string, isFirst: boolean): Record<Language, readonly Look[]> {
  if (isFirst || path === MAP) {
    return { en: EVERY_LOOK, es: EVERY_LOOK.filter(([, colours]) => colours === "light") };
  }
  if (kinds.has(path)) {
    return {
      en: EVERY_LOOK.filter(([width]) => width === 1440),
      es: [[390, "light"]],
    };
  }
  return { en: [[1440, "light"]], es: [[390, "dark"]] };
}

/** Lists of all places have the same parts, so only the examples are checked. */
const isLookedAt = (path: string) => kinds.has(path) || !path.startsWith("/property-for-sale");

type State = Exclude<BrowserContextOptions["storageState"], string | undefined>;

/** The browser states of two signed-in visitors, with entries in each part of the client area. */
const owners: Partial<Record<Language, State>> = {};

async function ownersState(language: Language): Promise<State> {
  const known = owners[language];
  if (known) return known;
  const page = await visitor();
  const email = newAddress();
  await signIn(page, email);
  await fill(page, email, language);
  const state = await page.context().storageState();
  owners[language] = state;
  return state;
}

async function fill(page: Page, email: string, locale: Language): Promise<void> {
  const [{ ref = "" } = {}, ...others] = await listed("&status=for_sale");
  const seen = { seen: true, favourite: true, compared: true, note: "Is there a lift?" };
  await call(page, "PUT", `/api/account/homes/${ref}`, seen);
  const changes = [{ compared: true, seen: true }, { hidden: true }];
  for (const [index, change] of changes.entries()) {
    await call(page, "PUT", `/api/account/homes/${others[index]?.ref}`, change);
  }
  const search = { address: "location=nerja&features=pool", name: "Para mi abuela", locale };
  await call(page, "POST", "/api/account/searches", { ...search, frequency: "weekly" });
  await call(page, "POST", "/api/enquiries", {
    kind: "property",
    ref,
    name: "Ana Prior",
    email,
    message: "Is there a lift in the house?",
    locale,
    privacyAccepted: true,
    openedFor: 60,
  });
}

/** Returns a visitor for the pages of `route` in a language, signed in for the client area. */
async function reader(route: string, language: Language): Promise<Page> {
  const isOwners = route.startsWith("account/");
  const page = await visitor({
    // Without transitions: axe would check colours halfway between the themes.
    reducedMotion: "reduce",
    ...(language === "es" ? ABROAD : {}),
    ...(isOwners ? { storageState: await ownersState(language) } : {}),
  });
  await withoutPhotographs(page);
  return page;
}

test("no route is left out", () => {
  expect(templates.filter(([, addresses]) => !addresses.some(isLookedAt))).toEqual([]);
});

describe.each(templates)("%s", (route, addresses) => {
  test("is accessible and cuts nothing off, in both languages and colours, on every screen", async () => {
    const found: unknown[] = [];
    const read = async (language: Language) => {
      const page = await reader(route, language);
      for (const [index, path] of addresses.filter(isLookedAt).entries()) {
        const isFirst = index === 0;
        const address = language === "en" ? path : spanish(path);
        const answer = await openWhole(page, address);
        // Checking another page in its place would prove nothing.
        const opened = [new URL(page.url()).pathname, answer?.status()];
        expect(opened).toEqual([address.split("?")[0], MISSING.get(path) ?? 200]);
        // The surrounding layout is the same on all pages of the route.
        const looks = looksOf(path, isFirst)[language];
        found.push(...(await faults(page, looks, isFirst ? undefined : "main")));
        // Pages that differ only in their text differ little in width, and Spanish text is longer.
        if (isFirst || language === "es") found.push(...(await hiddenOn(page, SCREENS)));
      }
    };
    // Two pages work in parallel, as many as a small machine has cores.
    await Promise.all([read("en"), read("es")]);
    expect(found, JSON.stringify(found)).toEqual([]);
  }, 600_000);
});
