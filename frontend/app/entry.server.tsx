import { renderToReadableStream } from "react-dom/server";
import { type EntryContext, ServerRouter } from "react-router";
import { LANGUAGE_TAG, localeOf } from "#app/lib/i18n/locale.ts";
import { ScriptMark } from "#app/lib/script-mark.ts";
import { analyticsOrigins } from "#app/lib/server/analytics.server.ts";
import { contentSecurityPolicy } from "#app/lib/server/content-security-policy.server.ts";
import { mapTilesOrigin } from "#app/lib/server/map-tiles.server.ts";
import { newMark, ownScripts } from "#app/lib/server/own-scripts.server.ts";
import { startWhenShown } from "#app/lib/server/start-when-shown.server.ts";

const RENDER_LIMIT_MS = 5_000;

/** Nothing streams but the loaders' answers, which are here before rendering starts. */
export const streamTimeout = RENDER_LIMIT_MS;

/**
 * Renders a whole document before the first byte leaves, so that an error in it can still change
 * the status, and so that the policy can name the application's own inline scripts by their hashes:
 * those that it wrote, and no other that may stand in the document.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
): Promise<Response> {
  const errors: unknown[] = [];
  const mark = newMark();
  const stream = await renderToReadableStream(
    <ScriptMark value={mark}>
      <ServerRouter context={context} url={request.url} nonce={mark} />
    </ScriptMark>,
    {
      nonce: mark,
      signal: AbortSignal.any([request.signal, AbortSignal.timeout(RENDER_LIMIT_MS)]),
      // React would move finished boundaries over 12.8 KB behind a script, even when all is ready.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onError: (error) => {
        errors.push(error);
      },
    },
  );
  await stream.allReady;
  const marked = startWhenShown(await new Response(stream).text(), mark);
  const { html, hashes } = ownScripts(marked, mark);
  if (errors.length > 0) throw errors[0];

  headers.set("content-type", "text/html; charset=utf-8");
  headers.set("content-language", LANGUAGE_TAG[localeOf(new URL(request.url).pathname)]);
  if (import.meta.env.PROD) {
    const policy = {
      scriptHashes: hashes,
      analytics: analyticsOrigins,
      tiles: mapTilesOrigin,
    };
    headers.set("content-security-policy", contentSecurityPolicy(policy));
  }
  return new Response(request.method === "HEAD" ? null : html, { status, headers });
}
