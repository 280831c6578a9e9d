import type { NavigationItem, Site, SiteSettings } from "#app/lib/api/types.ts";
import { type Locale, useLocale } from "#app/lib/i18n/locale.ts";
import { type ApiQuery, apiQuery, useAnswer } from "#app/lib/query/api-query.ts";

/** The settings before the editors have saved any. */
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

/** Queries the settings, menus and places that every page shows. */
export function siteQuery(locale: Locale): ApiQuery<Site> {
  return apiQuery("/api/site", { query: { locale } }, ({ navigation, sequence, ...site }) => ({
    ...site,
    navigation: {
      header: navigation.header.map(labelOnly),
      footer: navigation.footer.map(labelOnly),
      popular: navigation.popular.map(labelOnly),
      quick: navigation.quick.map(labelOnly),
      legal: navigation.legal.map(labelOnly),
    },
  }));
}

/**
 * Reduces an entry of the header or the footer, which every page carries. Only the entries of an opened menu
 * show their icon and description.
 */
function labelOnly({ description, icon, ...item }: NavigationItem): NavigationItem {
  return item;
}

export function settingsOf(site: Site): SiteSettings {
  return site.settings ?? NO_SETTINGS;
}

export function useSite(): Site & { settings: SiteSettings } {
  const site = useAnswer(siteQuery(useLocale()));
  return { ...site, settings: settingsOf(site) };
}
