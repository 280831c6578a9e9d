/** The policy of a page whose inline scripts have these SHA-256 hashes (base64). */
export function contentSecurityPolicy(scriptHashes: readonly string[]): string {
  const scripts = [...new Set(scriptHashes)].map((hash) => ` 'sha256-${hash}'`).join("");
  return [
    "default-src 'self'",
    `script-src 'self'${scripts}`,
    "style-src-elem 'self'",
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}
