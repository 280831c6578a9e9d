import { feedNames, HOMES_FEED } from "#app/features/feed/addresses.ts";
import { rss } from "#app/features/feed/feed.ts";
import { feedMessages } from "#app/features/feed/messages.ts";
import { newestHomes } from "#app/features/feed/newest-homes.ts";
import { formatPrice } from "#app/lib/format/format.ts";
import { messagesFor } from "#app/lib/i18n/messages.ts";
import { propertyPath } from "#app/lib/property/queries.ts";
import { serverResource } from "#app/lib/server/resource.server.ts";
import { placeLabel } from "#app/lib/site/place-label.ts";
import { settingsOf, siteQuery } from "#app/lib/site/site-query.ts";

export const loader = serverResource("application/rss+xml", async (read, { locale, origin }) => {
  const t = messagesFor(feedMessages, locale);
  const names = messagesFor(feedNames, locale);
  const [site, homes] = await Promise.all([read(siteQuery(locale)), newestHomes(read, locale)]);
  const { companyName } = settingsOf(site);
  return rss(
    {
      locale,
      title: `${companyName}: ${names.homes}`,
      description: t.homesAbout(companyName),
      path: "/new-properties",
      self: HOMES_FEED,
      entries: homes.map((home) => {
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
