import type { Picture } from "#app/lib/api/types.ts";
import {
  LANGUAGE_TAG,
  LOCALES,
  type Locale,
  localizedPath,
  useLocale,
} from "#app/lib/i18n/locale.ts";
import { useRootData } from "#app/lib/site/root-data.ts";
import { shortDescription } from "./description.ts";
import { SHARE_PICTURE_SIZE, sharePicture } from "./share-picture.ts";

const OG_LOCALE: Record<Locale, string> = { en: "en_GB", es: "es_ES" };

interface SeoProps {
  title: string;
  /** The suffix of every title; a title that is the company's name needs none. */
  suffix: string | undefined;
  description: string;
  /** The canonical path of this content, without its language; undefined for pages that search engines skip. */
  path: string | undefined;
  /** The languages in which the content exists. */
  locales?: readonly Locale[];
  picture?: Picture | null | undefined;
  /** The address of a picture made for sharing. */
  sharing?: string | undefined;
  indexed?: boolean;
  /** The publication date, if it is an article. */
  publishedAt?: string | null | undefined;
  structuredData?: Record<string, unknown>;
}

/** Renders the metadata for search engines, link previews and the window's title. React moves it to the head. */
export function Seo({
  title,
  suffix,
  description,
  path,
  locales = LOCALES,
  picture,
  sharing,
  indexed = path !== undefined,
  publishedAt,
  structuredData,
}: SeoProps) {
  const locale = useLocale();
  const origin = useOrigin();
  const absolute = (each: Locale) => origin + localizedPath(each, path ?? "/");
  // A text that is shown in the other language because there is no translation belongs to that language's
  // address.
  const contentLocale = locales.includes(locale) ? locale : (locales[0] ?? locale);
  const canonical = absolute(contentLocale);
  const shortened = shortDescription(description);
  const shared = sharing
    ? { ...SHARE_PICTURE_SIZE, url: origin + sharing, alt: title }
    : picture && sharePicture(picture, origin);
  const fullTitle = suffix && !title.includes(suffix) ? `${title} | ${suffix}` : title;
  return (
    <>
      <title>{fullTitle}</title>
      <meta name="description" content={shortened} />
      {indexed ? null : <meta name="robots" content="noindex" />}
      <meta property="og:title" content={title} />
      <meta property="og:description" content={shortened} />
      <meta property="og:type" content={publishedAt ? "article" : "website"} />
      {publishedAt ? <meta property="article:published_time" content={publishedAt} /> : null}
      {suffix ? <meta property="og:site_name" content={suffix} /> : null}
      <meta property="og:locale" content={OG_LOCALE[contentLocale]} />
      {locales
        .filter((each) => each !== contentLocale)
        .map((each) => (
          <meta key={each} property="og:locale:alternate" content={OG_LOCALE[each]} />
        ))}
      {shared ? (
        <>
          <meta property="og:image" content={shared.url} />
          <meta property="og:image:width" content={String(shared.width)} />
          <meta property="og:image:height" content={String(shared.height)} />
          <meta property="og:image:alt" content={shared.alt} />
        </>
      ) : null}
      <meta name="twitter:card" content={shared ? "summary_large_image" : "summary"} />
      {path === undefined ? null : (
        <>
          <link rel="canonical" href={canonical} />
          <meta property="og:url" content={canonical} />
          {locales.length > 1 ? (
            <>
              {locales.map((each) => (
                <link
                  key={each}
                  rel="alternate"
                  hrefLang={LANGUAGE_TAG[each]}
                  href={absolute(each)}
                />
              ))}
              <link rel="alternate" hrefLang="x-default" href={absolute("en")} />
            </>
          ) : null}
        </>
      )}
      {structuredData ? (
        <script
          type="application/ld+json"
          // The server's script stays; the browser does not render it again.
          suppressHydrationWarning
          dangerouslySetInnerHTML={{ __html: scriptSafeJson(structuredData) }}
        />
      ) : null}
    </>
  );
}

/** Serializes JSON so that no text in it can end the script element. */
export function scriptSafeJson(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}

/** Returns the site's public origin, from the server's configuration by way of the root loader. */
export function useOrigin(): string {
  return useRootData()?.origin ?? "";
}
