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
import { MADE_PICTURE, sharePicture } from "./share-picture.ts";

const OG_LOCALE: Record<Locale, string> = { en: "en_GB", es: "es_ES" };

interface SeoProps {
  title: string;
  /** What every title ends with; the company's name alone needs none. */
  suffix: string | undefined;
  description: string;
  /** The one address of this content, without its language; none for what search engines skip. */
  path: string | undefined;
  /** The languages that the content exists in. */
  locales?: readonly Locale[];
  picture?: Picture | null | undefined;
  /** The address of a picture that was made for sharing. */
  sharing?: string | undefined;
  indexed?: boolean;
  /** When it was published, if it is an article. */
  publishedAt?: string | null | undefined;
  structuredData?: Record<string, unknown>;
}

/** What search engines, link previews and the window's title are told. React puts it in the head. */
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
  // A text that is shown in the other language for want of its own belongs to the other's address.
  const own = locales.includes(locale) ? locale : (locales[0] ?? locale);
  const canonical = absolute(own);
  const about = shortDescription(description);
  const shared = sharing
    ? { ...MADE_PICTURE, url: origin + sharing, alt: title }
    : picture && sharePicture(picture, origin);
  const full = suffix && !title.includes(suffix) ? `${title} | ${suffix}` : title;
  return (
    <>
      <title>{full}</title>
      <meta name="description" content={about} />
      {indexed ? null : <meta name="robots" content="noindex" />}
      <meta property="og:title" content={title} />
      <meta property="og:description" content={about} />
      <meta property="og:type" content={publishedAt ? "article" : "website"} />
      {publishedAt ? <meta property="article:published_time" content={publishedAt} /> : null}
      {suffix ? <meta property="og:site_name" content={suffix} /> : null}
      <meta property="og:locale" content={OG_LOCALE[own]} />
      {locales
        .filter((each) => each !== own)
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
          // What came with the document stays; in the browser it is made no more.
          suppressHydrationWarning
          dangerouslySetInnerHTML={{ __html: scriptSafeJson(structuredData) }}
        />
      ) : null}
    </>
  );
}

/** JSON that no text in it can end the script element with. */
export function scriptSafeJson(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}

/** The site's public origin, as the server was told; the root loader brings it. */
export function useOrigin(): string {
  return useRootData()?.origin ?? "";
}
