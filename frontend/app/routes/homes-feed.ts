import { feedNames, HOMES_FEED } from "#app/features/feed/addresses.ts";
import { rss } from "#app/features/feed/feed.ts";
import { feedMessages } from "#app/features/feed/messages.ts";
import type { PropertyType } from "#app/lib/api/types.ts";
import { formatPrice } from "#app/lib/format/format.ts";
import { messagesFor } from "#app/lib/i18n/messages.ts";
import { propertyPath } from "#app/lib/property/queries.ts";
import { apiQuery } from "#app/lib/query/api-query.ts";
import { serverResource } from "#app/lib/server/resource.server.ts";
import { placeLabel } from "#app/lib/site/place-label.ts";
import { settingsOf, siteQuery } from "#app/lib/site/site-query.ts";

const MOST = 30;

export const loader = serverResource("application/rss+xml", async (read, { locale, origin }) => {
  const t = messagesFor(feedMessages, locale);
  const names = messagesFor(feedNames, locale);
  // Lists show homes first, so that a new garage would never be among the newest of all.
  const newest = (propertyType: PropertyType[]) =>
    read(
      apiQuery("/api/properties", {
        query: { locale, propertyType, sort: "newest", perPage: MOST },
      }),
    );
  const [site, homes, others] = await Promise.all([
    read(siteQuery(locale)),
    newest(["House", "Apartment"]),
    newest(["Commercial"]),
  ]);
  const items = [...homes.items, ...others.items]
    .sort((a, b) => b.publishedAt.localeCompare(a.publishedAt))
    .slice(0, MOST);
  return rss(
    {
      locale,
      title: `${settingsOf(site).companyName}: ${names.homes}`,
      description: t.homesAbout,
      path: "/new-properties",
      self: HOMES_FEED,
      entries: items
        .filter(({ language }) => language === locale)
        .map((home) => {
          const price = home.price ? formatPrice(locale, home.price) : t.askPrice;
          return {
            title: `${home.title} · ${placeLabel(home.location.name)} · ${price}`,
            summary: home.summary,
            path: propertyPath(home),
            publishedAt: home.publishedAt,
            picture: home.images[0],
          };
        }),
    },
    origin,
  );
});
