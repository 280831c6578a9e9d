import { redirect } from "react-router";
import { sheetPictures } from "#app/features/property/sheet/pictures.server.ts";
import { wordsQuery } from "#app/features/property/words.ts";
import { localizedPath } from "#app/lib/i18n/locale.ts";
import { figuresQuery } from "#app/lib/property/figures.ts";
import { propertyPath, propertyQuery, sheetPath } from "#app/lib/property/queries.ts";
import { isGone } from "#app/lib/query/api-query.ts";
import { serverResource } from "#app/lib/server/resource.server.ts";
import { settingsOf, siteQuery } from "#app/lib/site/site-query.ts";

/** The sheet of a home for the shop window. */
export const loader = serverResource(
  "application/pdf",
  async (read, { locale, params, url, origin, signal, leaveUnkept }) => {
    const [property, site, { purchase }] = await Promise.all([
      read(propertyQuery(locale, params.ref ?? "")).catch((error: unknown) => {
        // The page says in words that the home is no longer there.
        throw isGone(error) ? redirect(url.pathname.replace(/\/[^/]*$/, ""), 302) : error;
      }),
      read(siteQuery(locale)),
      read(figuresQuery(locale)),
    ]);
    if (property.location.slug !== params.location || property.ref !== params.ref) {
      throw redirect(localizedPath(locale, sheetPath(property)), 301);
    }
    const { notices } = await read(wordsQuery(locale, property));
    const { pictures, areAll } = await sheetPictures(property.images, signal);
    // A picture that comes a moment later changes nothing of the home, so nothing would purge the sheet.
    if (!areAll) leaveUnkept();
    // What draws it is a quarter of what a renderer would have to load before its first page.
    const { drawSheet } = await import("#app/features/property/sheet/draw-sheet.server.ts");
    return drawSheet({
      property,
      settings: settingsOf(site),
      figures: purchase,
      locale,
      address: origin + localizedPath(locale, propertyPath(property)),
      notices,
      pictures,
    });
  },
  {
    // Browsers show it by a plug-in of their own in a document of their own.
    "content-security-policy": "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'",
    // Who searches is to find the page.
    "x-robots-tag": "noindex",
  },
);
