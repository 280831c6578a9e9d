import { index, type RouteConfig, type RouteConfigEntry, route } from "@react-router/dev/routes";

/**
 * Whether the build includes the component catalogue. The visitors' build omits it: the code that it shares
 * with their pages would be split into more files.
 */
const withCatalogue = process.env.NODE_ENV === "development" || process.env.CATALOGUE === "1";

/**
 * Makes the routes case-sensitive. The server matches only the exact case of an address, and redirects from
 * others (`lib/query/moved.ts`). In the browser React Router does not receive this setting, and accepts any
 * case.
 */
function caseSensitive(routes: RouteConfigEntry[]): RouteConfigEntry[] {
  return routes.map((entry) => ({
    ...entry,
    caseSensitive: true,
    ...(entry.children && { children: caseSensitive(entry.children) }),
  }));
}

/** Every page is served in English at the root and in Spanish under `/es`, by the same module. */
export default caseSensitive([
  route("robots.txt", "routes/robots.ts"),
  route("sitemap.xml", "routes/sitemap-index.ts"),
  route("sitemaps/:part", "routes/sitemap-part.ts"),
  route("es?", "routes/layout.tsx", [
    index("routes/home.tsx"),
    route("property-for-sale/:location?", "routes/property-list.tsx"),
    route("property-for-sale/:location/:ref", "routes/property-detail.tsx"),
    route("property-for-sale/:location/:ref/sheet.pdf", "routes/window-sheet.ts"),
    route("contact-us", "routes/contact.tsx"),
    route("enquiry", "routes/enquiry.tsx"),
    route("enquiry/thanks", "routes/enquiry-thanks.tsx"),
    route("account", "routes/account-layout.tsx", [
      route(":part?", "routes/account-homes.tsx"),
      route("enquiries", "routes/account-enquiries.tsx"),
      route("searches", "routes/account-searches.tsx"),
      route("details", "routes/account-details.tsx"),
      route("everything", "routes/account-everything.tsx"),
    ]),
    route("save-search", "routes/save-search.tsx"),
    route("docs/*", "routes/docs.tsx"),
    route("news", "routes/news.tsx"),
    route("news/:slug", "routes/article.tsx"),
    ...["new-properties", "reduced-properties"].map((path) =>
      route(path, "routes/selected-homes.tsx", { id: path }),
    ),
    ...["about", "proadner-property-administration"].map((path) =>
      route(path, "routes/team-page.tsx", { id: path }),
    ),
    ...(withCatalogue
      ? [
          route("catalogue", "routes/catalogue.tsx"),
          route("catalogue/mails/:mail", "routes/catalogue-mail.ts"),
        ]
      : []),
    route("new-properties.xml", "routes/homes-feed.ts"),
    route("news.xml", "routes/news-feed.ts"),
    route("manifest.webmanifest", "routes/web-manifest.ts"),
    // Guides, services, introductions to places, legal texts: all other pages that the editors write.
    route(":page", "routes/content-page.tsx"),
    route("*", "routes/not-found.tsx"),
  ]),
  route("es?", "routes/auth-layout.tsx", [
    ...["login", "signup"].map((path) => route(path, "routes/sign-in.tsx", { id: path })),
    route("login/code", "routes/sign-in-code.tsx"),
    route("login/password", "routes/sign-in-password.tsx"),
    route("login/link", "routes/sign-in-link.tsx"),
    route("alerts", "routes/alerts.tsx"),
    route("alerts/confirm", "routes/alerts-confirm.tsx"),
  ]),
]) satisfies RouteConfig;
