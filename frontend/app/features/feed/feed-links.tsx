import { localizedPath, useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { feedNames, HOMES_FEED, NEWS_FEED } from "./addresses.ts";

/**
 * Links to the feeds in the head of a document, for browsers and feed readers. Only the server renders
 * them.
 */
export function FeedLinks() {
  return import.meta.env.SSR ? <Links /> : null;
}

function Links() {
  const locale = useLocale();
  const t = useMessages(feedNames);
  return [[HOMES_FEED, t.homes] as const, [NEWS_FEED, t.news] as const].map(([path, title]) => (
    <link
      key={path}
      rel="alternate"
      type="application/rss+xml"
      title={title}
      href={localizedPath(locale, path)}
    />
  ));
}
