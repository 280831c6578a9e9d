import type { Analytics } from "#app/lib/site/analytics.ts";

const src = process.env.ANALYTICS_SRC ?? "";
const token = process.env.ANALYTICS_TOKEN ?? "";
const reportsTo = process.env.ANALYTICS_REPORTS_TO ?? src;

/** The operator's configuration. Unless both values are set there is no analytics, and nothing to consent to. */
export const analytics: Analytics | undefined =
  URL.canParse(src) && token !== "" ? { src, token } : undefined;

/** The origin of the script and the origin that it reports to, for the content security policy. */
export const analyticsOrigins =
  analytics && URL.canParse(reportsTo)
    ? { script: new URL(src).origin, report: new URL(reportsTo).origin }
    : undefined;
