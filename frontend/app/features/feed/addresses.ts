import { defineMessages } from "#app/lib/i18n/messages.ts";

/** Where the feeds stand, without their language. */
export const HOMES_FEED = "/new-properties.xml";
export const NEWS_FEED = "/news.xml";

export const feedNames = defineMessages({
  en: { homes: "New homes", news: "News" },
  es: { homes: "Novedades", news: "Noticias" },
});
