import type { Picture } from "#app/lib/api/types.ts";
import { LANGUAGE_TAG, type Locale, localizedPath } from "#app/lib/i18n/locale.ts";
import { sharePicture } from "#app/lib/seo/share-picture.ts";
import { element, xmlDocument } from "#app/lib/xml/xml.ts";

const ATOM = "http://www.w3.org/2005/Atom";
const MEDIA = "http://search.yahoo.com/mrss/";

export interface Feed {
  readonly locale: Locale;
  readonly title: string;
  readonly description: string;
  /** The page that shows the same, without its language. */
  readonly path: string;
  /** The feed itself, without its language. */
  readonly self: string;
  readonly entries: readonly FeedEntry[];
}

interface FeedEntry {
  readonly title: string;
  readonly summary: string;
  /** Without its language. */
  readonly path: string;
  readonly publishedAt: string;
  readonly picture?: Picture | null | undefined;
}

/** What is new, as RSS 2.0: for readers, and for portals that fetch it. */
export function rss(feed: Feed, origin: string): string {
  const absolute = (path: string) => origin + localizedPath(feed.locale, path);
  const newest = feed.entries.map(({ publishedAt }) => Date.parse(publishedAt));
  return xmlDocument(
    element(
      "rss",
      element("channel", [
        element("title", feed.title),
        element("link", absolute(feed.path)),
        element("description", feed.description),
        element("language", LANGUAGE_TAG[feed.locale].toLowerCase()),
        element("atom:link", [], {
          rel: "self",
          type: "application/rss+xml",
          href: absolute(feed.self),
        }),
        // Of the entries and not of the clock, so that the same news make the same file.
        ...(newest.length > 0 ? [element("lastBuildDate", rfc822(Math.max(...newest)))] : []),
        ...feed.entries.map((entry) =>
          element("item", [
            element("title", entry.title),
            element("link", absolute(entry.path)),
            element("guid", absolute(entry.path), { isPermaLink: "true" }),
            element("pubDate", rfc822(Date.parse(entry.publishedAt))),
            element("description", entry.summary),
            ...(entry.picture ? [pictureOf(entry.picture, origin)] : []),
          ]),
        ),
      ]),
      { version: "2.0", "xmlns:atom": ATOM, "xmlns:media": MEDIA },
    ),
  );
}

function pictureOf(picture: Picture, origin: string) {
  return element("media:content", element("media:description", picture.alt), {
    url: sharePicture(picture, origin).url,
    type: "image/jpeg",
    medium: "image",
  });
}

/** `Sat, 21 Nov 2026 09:59:22 GMT`. */
function rfc822(time: number): string {
  return new Date(time).toUTCString();
}
