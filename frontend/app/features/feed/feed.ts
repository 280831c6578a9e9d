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
  /** The path of the page that shows the same entries, without the language. */
  readonly path: string;
  /** The path of the feed, without the language. */
  readonly self: string;
  readonly entries: readonly FeedEntry[];
}

interface FeedEntry {
  readonly title: string;
  readonly summary: string;
  /** Without the language. */
  readonly path: string;
  readonly publishedAt: string;
  readonly picture?: Picture | null | undefined;
}

/** Renders a feed as RSS 2.0, for feed readers and for portals. */
export function rss(feed: Feed, origin: string): string {
  const absolute = (path: string) => origin + localizedPath(feed.locale, path);
  const times = feed.entries.map(({ publishedAt }) => Date.parse(publishedAt));
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
        // Taken from the entries and not from the clock, so that equal entries make an equal file.
        ...(times.length > 0 ? [element("lastBuildDate", rfc822(Math.max(...times)))] : []),
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

/** Formats a time as `Sat, 21 Nov 2026 09:59:22 GMT`. */
function rfc822(time: number): string {
  return new Date(time).toUTCString();
}
