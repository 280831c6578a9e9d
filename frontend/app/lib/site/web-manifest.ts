import type { SiteSettings } from "#app/lib/api/types.ts";
import { LANGUAGE_TAG, type Locale, localizedPath } from "#app/lib/i18n/locale.ts";

/** The canvas and bar colours of the light theme: a manifest supports only one. */
const CANVAS = "#fcfaf6";
const BAR = "#ffffff";

/** The path of the manifest, without its language. */
export const WEB_MANIFEST = "/manifest.webmanifest";

/** Returns the web app manifest, which a device reads when the site is added to its apps. */
export function webManifest(settings: SiteSettings, locale: Locale): Record<string, unknown> {
  const start = localizedPath(locale, "/");
  return {
    id: start,
    name: settings.tagline ? `${settings.companyName}: ${settings.tagline}` : settings.companyName,
    short_name: settings.companyName,
    description: settings.description,
    lang: LANGUAGE_TAG[locale],
    dir: "ltr",
    start_url: start,
    scope: "/",
    display: "minimal-ui",
    background_color: CANVAS,
    theme_color: BAR,
    categories: ["shopping", "lifestyle"],
    icons: [
      { src: "/favicon.svg", type: "image/svg+xml", sizes: "any", purpose: "any" },
      ...[192, 512].flatMap((size) => [
        icon(`/icons/icon-${size}.png`, size, "any"),
        icon(`/icons/maskable-${size}.png`, size, "maskable"),
      ]),
    ],
  };
}

function icon(src: string, size: number, purpose: string) {
  return { src, type: "image/png", sizes: `${size}x${size}`, purpose };
}
