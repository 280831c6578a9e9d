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
      header: navigation.header.map((item) => ({
        ...withoutDescription(item),
        ...(item.children && { children: item.children.map(withoutIcon) }),
      })),
      footer: navigation.footer.map(withoutDescription),
      popular: navigation.popular.map(withoutDescription),
      quick: navigation.quick.map(withoutDescription),
      legal: navigation.legal.map(withoutDescription),
    },
  }));
}

/** No menu shows the icons that the editors may choose. */
function withoutIcon({ icon, ...item }: NavigationItem): NavigationItem {
  return item;
}

/** Only what opens under the header says what stands there. */
function withoutDescription({ description, ...item }: NavigationItem): NavigationItem {
  return withoutIcon(item);
}

export function settingsOf(site: Site): SiteSettings {
  return site.settings ?? NO_SETTINGS;
}

export function useSite(): Site & { settings: SiteSettings } {
  const site = useAnswer(siteQuery(useLocale()));
  return { ...site, settings: settingsOf(site) };
}
