import { articlePath } from "#app/features/content/article-card.tsx";
import { feedNames, NEWS_FEED } from "#app/features/feed/addresses.ts";
import { rss } from "#app/features/feed/feed.ts";
import { feedMessages } from "#app/features/feed/messages.ts";
import { newestItemsIn } from "#app/features/feed/newest.ts";
import type { Article } from "#app/lib/api/types.ts";
import { messagesFor } from "#app/lib/i18n/messages.ts";
import { apiQuery } from "#app/lib/query/api-query.ts";
import { serverResource } from "#app/lib/server/resource.server.ts";
import { settingsOf, siteQuery } from "#app/lib/site/site-query.ts";

export const loader = serverResource("application/rss+xml", async (read, { locale, origin }) => {
  const t = messagesFor(feedMessages, locale);
  const names = messagesFor(feedNames, locale);
  const [site, news] = await Promise.all([
    read(siteQuery(locale)),
    newestItemsIn<Article>(locale, (part) =>
      read(apiQuery("/api/articles", { query: { locale, ...part } })),
    ),
  ]);
  return rss(
    {
      locale,
      title: `${settingsOf(site).companyName}: ${names.news}`,
      description: t.newsAbout,
      path: "/news",
      self: NEWS_FEED,
      entries: news.flatMap(({ title, summary, slug, publishedAt, image }) =>
        publishedAt
          ? [{ title, summary, path: articlePath(slug), publishedAt, picture: image }]
          : [],
      ),
    },
    origin,
  );
});
