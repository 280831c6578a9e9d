import { useRouteLoaderData } from "react-router";
import type { Picture } from "#app/lib/api/types.ts";
import {
  LANGUAGE_TAG,
  LOCALES,
  type Locale,
  localizedPath,
  useLocale,
} from "#app/lib/i18n/locale.ts";

const OG_LOCALE: Record<Locale, string> = { en: "en_GB", es: "es_ES" };
const OG_WIDTH = 1280;

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
  structuredData,
}: SeoProps) {
  const locale = useLocale();
  const origin = useOrigin();
  const absolute = (each: Locale) => origin + localizedPath(each, path ?? "/");
  // A text that is shown in the other language for want of its own belongs to the other's address.
  const canonical = absolute(locales.includes(locale) ? locale : (locales[0] ?? locale));
  const full = suffix && !title.includes(suffix) ? `${title} | ${suffix}` : title;
  return (
    <>
      <title>{full}</title>
      <meta name="description" content={description} />
      {indexed ? null : <meta name="robots" content="noindex" />}
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:type" content="website" />
      <meta property="og:locale" content={OG_LOCALE[locale]} />
      {locales
        .filter((each) => each !== locale)
        .map((each) => (
          <meta key={each} property="og:locale:alternate" content={OG_LOCALE[each]} />
        ))}
      {sharing ? <SharingPicture src={origin + sharing} /> : null}
      {picture && !sharing ? (
        <meta
          property="og:image"
          content={`${origin}/media/${picture.file}/${picture.version}/${OG_WIDTH}.jpg`}
        />
      ) : null}
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
          dangerouslySetInnerHTML={{ __html: scriptSafeJson(structuredData) }}
        />
      ) : null}
    </>
  );
}

/** The size is said, so that a first share need not wait until the picture was fetched. */
function SharingPicture({ src }: { src: string }) {
  return (
    <>
      <meta property="og:image" content={src} />
      <meta property="og:image:type" content="image/jpeg" />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}

/** JSON that no text in it can end the script element with. */
export function scriptSafeJson(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}

/** The site's public origin, as the server was told; the root loader brings it. */
export function useOrigin(): string {
  const root = useRouteLoaderData<{ origin: string }>("root");
  return root?.origin ?? "";
}
