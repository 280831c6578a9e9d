import { type Locale, localizedPath } from "#app/lib/i18n/locale.ts";

/** Editors' HTML with its links in the language of the page, and those that lead away marked so. */
export function withLinks(html: string, locale: Locale): string {
  return html.replace(
    /<a\s([^>]*)>/g,
    (_, attributes: string) => `<a ${linkAttributes(attributes, locale)}>`,
  );
}

function linkAttributes(attributes: string, locale: Locale): string {
  const own = attributes.replace(/\s*\brel="[^"]*"/g, "").trim();
  const href = /\bhref="([^"]*)"/.exec(own)?.[1] ?? "";
  if (/^https?:/i.test(href) || href.startsWith("//")) return `${own} rel="noopener noreferrer"`;
  return own.replace(
    /\bhref="([^"]*)"/,
    (_, path: string) => `href="${localizedPath(locale, path)}"`,
  );
}
