import { articlePath } from "#app/features/content/article-card.tsx";
import { newsQuery } from "#app/features/content/queries.ts";
import { feedNames, NEWS_FEED } from "#app/features/feed/addresses.ts";
import { rss } from "#app/features/feed/feed.ts";
import { feedMessages } from "#app/features/feed/messages.ts";
import { messagesFor } from "#app/lib/i18n/messages.ts";
import { serverResource } from "#app/lib/server/resource.server.ts";
import { settingsOf, siteQuery } from "#app/lib/site/site-query.ts";

const MOST = 30;

export const loader = serverResource("application/rss+xml", async (read, { locale, origin }) => {
  const t = messagesFor(feedMessages, locale);
  const names = messagesFor(feedNames, locale);
  const [site, { items }] = await Promise.all([read(siteQuery(locale)), read(newsQuery(locale))]);
  return rss(
    {
      locale,
      title: `${settingsOf(site).companyName}: ${names.news}`,
      description: t.newsAbout,
      path: "/news",
      self: NEWS_FEED,
      entries: items
        .filter(({ language }) => language === locale)
        .slice(0, MOST)
        .flatMap(({ title, summary, slug, publishedAt, image }) =>
          publishedAt
            ? [{ title, summary, path: articlePath(slug), publishedAt, picture: image }]
            : [],
        ),
    },
    origin,
  );
});
