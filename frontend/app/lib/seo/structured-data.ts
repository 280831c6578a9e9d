import type { Picture, SiteSettings } from "#app/lib/api/types.ts";
import { LANGUAGE_TAG, type Locale, localizedPath } from "#app/lib/i18n/locale.ts";
import { sharePicture } from "./share-picture.ts";

type Thing = Record<string, unknown>;

/**
 * Only crawlers read structured data, and they read documents: it is not built in the browser, nor is its
 * code loaded there.
 */
const NOTHING: Thing = {};

/** The origin and the language of a page. */
export interface PageContext {
  origin: string;
  locale: Locale;
}

/** Combines the things that a page is about. */
export function graph(...things: (Thing | undefined)[]): Thing {
  if (!import.meta.env.SSR) return NOTHING;
  return { "@context": "https://schema.org", "@graph": things.filter(Boolean) };
}

/** The path to a page from the home page; the page itself is the last item. */
export function breadcrumbList(
  crumbs: readonly { label: string; to: string }[],
  { origin, locale }: PageContext,
): Thing {
  if (!import.meta.env.SSR) return NOTHING;
  return {
    "@type": "BreadcrumbList",
    itemListElement: crumbs.map(({ label, to }, index) => ({
      "@type": "ListItem",
      position: index + 1,
      name: label,
      item: origin + localizedPath(locale, to),
    })),
  };
}

/** Questions and answers; undefined if there are none. */
export function faqPage(
  questions: readonly { question: string; answer: string }[],
): Thing | undefined {
  if (!import.meta.env.SSR) return NOTHING;
  if (questions.length === 0) return;
  return {
    "@type": "FAQPage",
    mainEntity: questions.map(({ question, answer }) => ({
      "@type": "Question",
      name: question,
      acceptedAnswer: { "@type": "Answer", text: answer },
    })),
  };
}

interface ArticleFacts {
  title: string;
  summary: string;
  language: Locale;
  path: string;
  image?: Picture | null | undefined;
  publishedAt?: string | null | undefined;
}

/** An article. */
export function article(facts: ArticleFacts, settings: SiteSettings, origin: string): Thing {
  if (!import.meta.env.SSR) return NOTHING;
  return {
    "@type": "Article",
    headline: facts.title,
    description: facts.summary,
    inLanguage: LANGUAGE_TAG[facts.language],
    mainEntityOfPage: origin + localizedPath(facts.language, facts.path),
    ...(facts.image && { image: sharePicture(facts.image, origin).url }),
    ...(facts.publishedAt && { datePublished: facts.publishedAt }),
    author: { "@type": "Organization", name: settings.companyName, url: origin },
    publisher: { "@type": "Organization", name: settings.companyName, url: origin },
  };
}

/** A short reference to the agency from another thing; the agency's own page has the details. */
export function estateAgentInShort(settings: SiteSettings, { origin, locale }: PageContext): Thing {
  if (!import.meta.env.SSR) return NOTHING;
  return {
    "@type": "RealEstateAgent",
    name: settings.companyName,
    url: origin + localizedPath(locale, "/"),
  };
}

/** The agency with all details. */
export function estateAgent(settings: SiteSettings, { origin, locale }: PageContext): Thing {
  if (!import.meta.env.SSR) return NOTHING;
  return {
    "@type": "RealEstateAgent",
    name: settings.companyName,
    ...(settings.legalName && { legalName: settings.legalName }),
    url: origin + localizedPath(locale, "/"),
    description: settings.description,
    telephone: settings.phones,
    email: settings.emails,
    ...(settings.hero && { image: sharePicture(settings.hero, origin).url }),
    address: {
      "@type": "PostalAddress",
      ...(settings.street && { streetAddress: settings.street }),
      ...(settings.postalCode && { postalCode: settings.postalCode }),
      ...(settings.town && { addressLocality: settings.town }),
      ...(settings.province && { addressRegion: settings.province }),
      addressCountry: "ES",
    },
    ...(settings.coordinates && {
      geo: {
        "@type": "GeoCoordinates",
        latitude: settings.coordinates.lat,
        longitude: settings.coordinates.lng,
      },
    }),
  };
}

/** The website and its search. */
export function webSite(settings: SiteSettings, { origin, locale }: PageContext): Thing {
  if (!import.meta.env.SSR) return NOTHING;
  const list = origin + localizedPath(locale, "/property-for-sale");
  return {
    "@type": "WebSite",
    name: settings.companyName,
    url: origin + localizedPath(locale, "/"),
    inLanguage: LANGUAGE_TAG[locale],
    potentialAction: {
      "@type": "SearchAction",
      target: { "@type": "EntryPoint", urlTemplate: `${list}?q={search_term_string}` },
      "query-input": "required name=search_term_string",
    },
  };
}
