import type { BrowserContextOptions, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { everyTemplate, examples, MISSING, spanish } from "./addresses.ts";
import { EVERY_LOOK, faults, type Look } from "./axe.ts";
import { call, newAddress, signIn } from "./mail.ts";
import { hiddenOn, SCREENS } from "./reflow.ts";
import { ABROAD, listed, openWhole, visitor, withoutPhotographs } from "./site.ts";

type Language = "en" | "es";

/** On a telephone the map takes the place of the list; on a desk it stands beside it. */
const MAP = "/property-for-sale?view=map";

const templates = await everyTemplate();
const kinds = new Set(await examples());

/**
 * How a page is looked at. A route's first one in every way, another kind of its pages on a desk in English
 * and on a telephone in Spanish, and what editors wrote once in each language. Colours are the same in both.
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

/** What lists say of one place or another comes from the same parts: their kinds stand for all. */
const isLookedAt = (path: string) => kinds.has(path) || !path.startsWith("/property-for-sale");

type State = Exclude<BrowserContextOptions["storageState"], string | undefined>;

/** The browsers of two who are signed in, each with something in each part of the client area. */
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

/** Whoever reads the pages of `route` in a language; the owner of what only its owner sees. */
async function reader(route: string, language: Language): Promise<Page> {
  const isOwners = route.startsWith("account/");
  const page = await visitor({
    // Colours that are on their way from one theme to the other are no colours of ours.
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
  test("is open to everybody and shows all that it says, in both languages and colours, on every screen", async () => {
    const found: unknown[] = [];
    const read = async (language: Language) => {
      const page = await reader(route, language);
      for (const [index, path] of addresses.filter(isLookedAt).entries()) {
        const isFirst = index === 0;
        const address = language === "en" ? path : spanish(path);
        const answer = await openWhole(page, address);
        // Another page in its place would be looked at for nothing.
        const opened = [new URL(page.url()).pathname, answer?.status()];
        expect(opened).toEqual([address.split("?")[0], MISSING.get(path) ?? 200]);
        // What stands around it is the same on each of the route's pages.
        const looks = looksOf(path, isFirst)[language];
        found.push(...(await faults(page, looks, isFirst ? undefined : "main")));
        // What differs in words alone differs little in width, and Spanish words are the longer ones.
        if (isFirst || language === "es") found.push(...(await hiddenOn(page, SCREENS)));
      }
    };
    // Two pages share the work: as many as a small machine has cores.
    await Promise.all([read("en"), read("es")]);
    expect(found, JSON.stringify(found)).toEqual([]);
  }, 600_000);
});
