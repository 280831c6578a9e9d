import { Writable } from "node:stream";
import { QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { renderToPipeableStream } from "react-dom/server";
import { type EntryContext, type RouterContextProvider, ServerRouter } from "react-router";
import { LANGUAGE_TAG, localeOf } from "#app/lib/i18n/locale.ts";
import { ScriptMark } from "#app/lib/script-mark.ts";
import { analyticsOrigins } from "#app/lib/server/analytics.server.ts";
import { contentSecurityPolicy } from "#app/lib/server/content-security-policy.server.ts";
import { newMark, ownScripts } from "#app/lib/server/own-scripts.server.ts";
import { renderRecord } from "#app/lib/server/render-record.server.ts";

const PRELOAD = '<link rel="modulepreload"';

const RENDER_LIMIT_MS = 5_000;

/** Only the loaders' answers are streamed, and they are complete before rendering starts. */
export const streamTimeout = RENDER_LIMIT_MS;

/**
 * Renders a complete document before the first byte is sent, so that an error in it can still change the
 * status, and so that the content security policy can list the application's own inline scripts by their
 * hashes: only those that it rendered itself, no others in the document.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
  loaders: RouterContextProvider,
): Promise<Response> {
  const mark = newMark();
  const document = await render(
    <ScriptMark value={mark}>
      <QueryClientProvider client={loaders.get(renderRecord).client}>
        <ServerRouter context={context} url={request.url} nonce={mark} />
      </QueryClientProvider>
    </ScriptMark>,
    mark,
    request.signal,
  );
  const { html, hashes } = ownScripts(document, mark);
  // Visible content gets the bandwidth first: the router itself gives its scripts no priority.
  const page = html.replaceAll(PRELOAD, `${PRELOAD} fetchpriority="low"`);

  headers.set("content-type", "text/html; charset=utf-8");
  headers.set("content-language", LANGUAGE_TAG[localeOf(new URL(request.url).pathname)]);
  if (import.meta.env.PROD) {
    const policy = { scriptHashes: hashes, analytics: analyticsOrigins };
    headers.set("content-security-policy", contentSecurityPolicy(policy));
  }
  const body = request.method === "HEAD" ? null : Buffer.from(page, "latin1");
  return new Response(body, { status, headers });
}

/**
 * Renders the complete document, with each byte of its UTF-8 as one character: only ASCII is searched for in
 * it, and decoding and encoding the rest is saved. Rejects with the first error while rendering.
 */
function render(document: ReactNode, nonce: string, signal: AbortSignal): Promise<string> {
  let limit: NodeJS.Timeout | undefined;
  const rendered = new Promise<string>((resolve, reject) => {
    const { pipe, abort } = renderToPipeableStream(document, {
      nonce,
      // React would move completed boundaries over 12.8 KB behind a script, even if everything is ready.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onError: reject,
      onAllReady: () => pipe(collect(resolve)),
    });
    limit = setTimeout(
      () => abort(new Error(`a page took longer than ${RENDER_LIMIT_MS} ms to render`)),
      RENDER_LIMIT_MS,
    );
    signal.addEventListener("abort", () => abort(signal.reason), { once: true });
  });
  // An `AbortSignal.timeout` would keep the rendered document in memory until it fires.
  return rendered.finally(() => clearTimeout(limit));
}

/** Returns a stream that collects what is written to it, and passes the complete text to the callback. */
function collect(done: (bytes: string) => void): Writable {
  const parts: Buffer[] = [];
  return new Writable({
    write(part: Buffer, _, next) {
      parts.push(part);
      next();
    },
    final(end) {
      done(Buffer.concat(parts).toString("latin1"));
      end();
    },
  });
}
