import { redirect } from "react-router";
import { editorialTextQuery } from "#app/features/property/editorial-text.ts";
import { sheetPictures } from "#app/features/property/sheet/pictures.server.ts";
import { localizedPath } from "#app/lib/i18n/locale.ts";
import { figuresQuery } from "#app/lib/property/figures.ts";
import { propertyPath, propertyQuery, sheetPath } from "#app/lib/property/queries.ts";
import { isGone } from "#app/lib/query/api-query.ts";
import { serverResource } from "#app/lib/server/resource.server.ts";
import { settingsOf, siteQuery } from "#app/lib/site/site-query.ts";

/** Serves the printable shop-window sheet of a home as a PDF. */
export const loader = serverResource(
  "application/pdf",
  async (read, { locale, params, url, origin, signal, preventCaching }) => {
    const [property, site, { purchase }] = await Promise.all([
      read(propertyQuery(locale, params.ref ?? "")).catch((error: unknown) => {
        // Redirect to the home's page, which explains that the home is no longer available.
        throw isGone(error) ? redirect(url.pathname.replace(/\/[^/]*$/, ""), 302) : error;
      }),
      read(siteQuery(locale)),
      read(figuresQuery(locale)),
    ]);
    if (property.location.slug !== params.location || property.ref !== params.ref) {
      throw redirect(localizedPath(locale, sheetPath(property)), 301);
    }
    const { notices } = await read(editorialTextQuery(locale, property));
    const { pictures, areAll } = await sheetPictures(property.images, signal);
    // Don't cache a sheet without all its pictures: a picture that loads later is no change of the home, so nothing
    // would purge the sheet.
    if (!areAll) preventCaching();
    // Imported on demand: the PDF code is a quarter of all that a renderer would load before its first page.
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
    // Browsers show a PDF through a built-in plug-in in a wrapper document, which this policy has to allow.
    "content-security-policy": "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'",
    // Search engines should index the home's page instead.
    "x-robots-tag": "noindex",
  },
);
