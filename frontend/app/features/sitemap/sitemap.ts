import type { ApiBody } from "#app/lib/api/types.ts";
import { LANGUAGE_TAG, LOCALES, type Locale, localizedPath } from "#app/lib/i18n/locale.ts";
import { SHARED_WIDTH } from "#app/lib/seo/share-picture.ts";
import { element, type Xml, xmlDocument } from "#app/lib/xml/xml.ts";

export type SitemapAddress = ApiBody<"/api/sitemap">["items"][number];

/** Each kind of address has its own files, so that frequent changes to one kind leave the other files unchanged. */
const KINDS = ["properties", "places", "pages", "news", "docs"] as const;

type Kind = (typeof KINDS)[number];

/** The maximum number of addresses in a file: about a megabyte with their pictures. */
export const MAX_PER_PART = 1_000;
const SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9";
const IMAGE = "http://www.google.com/schemas/sitemap-image/1.1";
const XHTML = "http://www.w3.org/1999/xhtml";

/** One file of the sitemap: addresses of one kind in one language. */
interface SitemapPart {
  readonly locale: Locale;
  readonly kind: Kind;
  /** Counts from 1. */
  readonly number: number;
  readonly addresses: readonly SitemapAddress[];
}

export function kindOf(path: string): Kind {
  const [first, second, third] = path.split("/").filter(Boolean);
  if (first === "property-for-sale") return second && third ? "properties" : "places";
  if (first === "news") return "news";
  if (first === "docs") return "docs";
  return "pages";
}

/** Splits the addresses into files; none is empty. */
export function partsOf(addresses: readonly SitemapAddress[]): SitemapPart[] {
  const all = withNewsListDate(addresses);
  return LOCALES.flatMap((locale) =>
    KINDS.flatMap((kind) => {
      const own = all.filter(
        ({ path, locales }) => kindOf(path) === kind && locales.includes(locale),
      );
      return Array.from({ length: Math.ceil(own.length / MAX_PER_PART) }, (_, index) => ({
        locale,
        kind,
        number: index + 1,
        addresses: own.slice(index * MAX_PER_PART, (index + 1) * MAX_PER_PART),
      }));
    }),
  );
}

/** Dates the news list, if it is published, by the latest change to it or to any article. */
function withNewsListDate(addresses: readonly SitemapAddress[]): SitemapAddress[] {
  const lastmod = latestChange(addresses.filter(({ path }) => kindOf(path) === "news"));
  return addresses.map((address) => (address.path === "/news" ? { ...address, lastmod } : address));
}

export function partPath({ locale, kind, number }: Omit<SitemapPart, "addresses">): string {
  return `/sitemaps/${locale}-${kind}-${number}.xml`;
}

/** Returns the sitemap index, which lists all files. */
export function sitemapIndex(parts: readonly SitemapPart[], origin: string): string {
  return xmlDocument(
    element(
      "sitemapindex",
      parts.map((part) =>
        element("sitemap", [
          element("loc", origin + partPath(part)),
          element("lastmod", latestChange(part.addresses)),
        ]),
      ),
      { xmlns: SITEMAP },
    ),
  );
}

/** Returns one sitemap file; each address has its other language and its pictures. */
export function sitemapPart({ locale, addresses }: SitemapPart, origin: string): string {
  return xmlDocument(
    element(
      "urlset",
      addresses.map((address) =>
        element("url", [
          element("loc", origin + localizedPath(locale, address.path)),
          element("lastmod", address.lastmod),
          ...alternates(address, origin),
          ...address.images.map((picture) =>
            element(
              "image:image",
              element("image:loc", `${origin}/media/${picture}/${SHARED_WIDTH}.jpg`),
            ),
          ),
        ]),
      ),
      { xmlns: SITEMAP, "xmlns:image": IMAGE, "xmlns:xhtml": XHTML },
    ),
  );
}

/** Returns the same language links as the page's `<head>`; none if there is only one language. */
function alternates({ path, locales }: SitemapAddress, origin: string): Xml[] {
  if (locales.length < 2) return [];
  const link = (hreflang: string, locale: Locale) =>
    element("xhtml:link", [], {
      rel: "alternate",
      hreflang,
      href: origin + localizedPath(locale, path),
    });
  return [...locales.map((each) => link(LANGUAGE_TAG[each], each)), link("x-default", "en")];
}

/** Returns the latest change. All dates are RFC 3339 in UTC, so they sort as strings. */
function latestChange(addresses: readonly SitemapAddress[]): string {
  return addresses.reduce((latest, { lastmod }) => (lastmod > latest ? lastmod : latest), "");
}
