import { createHash } from "node:crypto";
import { renderToReadableStream } from "react-dom/server";
import { type EntryContext, ServerRouter } from "react-router";
import { LANGUAGE_TAG, localeOf } from "#app/lib/i18n/locale.ts";
import { analyticsOrigins } from "#app/lib/server/analytics.server.ts";
import { contentSecurityPolicy } from "#app/lib/server/content-security-policy.server.ts";
import { mapTilesOrigin } from "#app/lib/server/map-tiles.server.ts";
import { startWhenShown } from "#app/lib/server/start-when-shown.server.ts";

const RENDER_LIMIT_MS = 5_000;

/** Nothing streams but the loaders' answers, which are here before rendering starts. */
export const streamTimeout = RENDER_LIMIT_MS;

/**
 * Renders a whole document before the first byte leaves, so that an error in it can still change
 * the status, and so that the policy can name every inline script by its hash.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
): Promise<Response> {
  const errors: unknown[] = [];
  const stream = await renderToReadableStream(
    <ServerRouter context={context} url={request.url} />,
    {
      signal: AbortSignal.any([request.signal, AbortSignal.timeout(RENDER_LIMIT_MS)]),
      // React would move finished boundaries over 12.8 KB behind a script, even when all is ready.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onError: (error) => {
        errors.push(error);
      },
    },
  );
  await stream.allReady;
  const html = startWhenShown(await new Response(stream).text());
  if (errors.length > 0) throw errors[0];

  headers.set("content-type", "text/html; charset=utf-8");
  headers.set("content-language", LANGUAGE_TAG[localeOf(new URL(request.url).pathname)]);
  if (import.meta.env.PROD) {
    const policy = {
      scriptHashes: inlineScriptHashes(html),
      analytics: analyticsOrigins,
      tiles: mapTilesOrigin,
    };
    headers.set("content-security-policy", contentSecurityPolicy(policy));
  }
  return new Response(request.method === "HEAD" ? null : html, { status, headers });
}

const INLINE_SCRIPT =
  /<script(?![^>]*\ssrc=)(?![^>]*application\/ld\+json)[^>]*>([\s\S]*?)<\/script>/g;

function inlineScriptHashes(html: string): string[] {
  return Array.from(html.matchAll(INLINE_SCRIPT), ([, source = ""]) =>
    createHash("sha256").update(source).digest("base64"),
  );
}
