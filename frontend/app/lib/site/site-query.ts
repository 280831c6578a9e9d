import type { NavigationItem, Site, SiteSettings } from "#app/lib/api/types.ts";
import { type Locale, useLocale } from "#app/lib/i18n/locale.ts";
import { type ApiQuery, apiQuery, useAnswer } from "#app/lib/query/api-query.ts";

/** Before the editors have saved any. */
const NO_SETTINGS: SiteSettings = {
  companyName: "Almijara Homes",
  phones: [],
  emails: [],
  openingHours: [],
  titleSuffix: "Almijara Homes",
  tagline: "Almijara Homes",
  description: "",
  footerNote: "",
  sampleNotice: "",
};

/** Settings, menus and places: what every page shows. */
export function siteQuery(locale: Locale): ApiQuery<Site> {
  return apiQuery("/api/site", { query: { locale } }, ({ navigation, ...site }) => ({
    ...site,
    navigation: {
      header: navigation.header.map(wordsAlone),
      footer: navigation.footer.map(wordsAlone),
      popular: navigation.popular.map(wordsAlone),
      quick: navigation.quick.map(wordsAlone),
      legal: navigation.legal.map(wordsAlone),
    },
  }));
}

/**
 * An entry of the bar or the footer, which every page carries: only what opens under it has its drawing
 * and says what stands there.
 */
function wordsAlone({ description, icon, ...item }: NavigationItem): NavigationItem {
  return item;
}

export function settingsOf(site: Site): SiteSettings {
  return site.settings ?? NO_SETTINGS;
}

export function useSite(): Site & { settings: SiteSettings } {
  const site = useAnswer(siteQuery(useLocale()));
  return { ...site, settings: settingsOf(site) };
}
