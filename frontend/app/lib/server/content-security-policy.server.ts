import { EMBED_ORIGINS } from "#app/lib/property/embeds.ts";

interface Policy {
  /** SHA-256 hashes (base64) of the page's inline scripts. */
  readonly scriptHashes: readonly string[];
  /** The only third party, if any: the origin of its script, and the origin that it reports to. */
  readonly analytics?: { readonly script: string; readonly report: string } | undefined;
}

/** Returns the content security policy of a page. */
export function contentSecurityPolicy({ scriptHashes, analytics }: Policy): string {
  const hashes = [...new Set(scriptHashes)].map((hash) => `'sha256-${hash}'`);
  const scripts = ["'self'", ...(analytics ? [analytics.script] : []), ...hashes];
  const reports = ["'self'", ...(analytics ? [analytics.report] : [])];
  return [
    "default-src 'self'",
    `script-src ${scripts.join(" ")}`,
    `connect-src ${reports.join(" ")}`,
    "style-src-elem 'self'",
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    `frame-src ${EMBED_ORIGINS.join(" ")}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}
