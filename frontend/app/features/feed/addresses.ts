import { defineMessages } from "#app/lib/i18n/messages.ts";

/** The paths of the feeds, without the language. */
export const HOMES_FEED = "/new-properties.xml";
export const NEWS_FEED = "/news.xml";

export const feedNames = defineMessages({
  en: { homes: "New homes", news: "News" },
  es: { homes: "Novedades", news: "Noticias" },
});
