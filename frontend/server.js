// The renderer. It serves documents, and the files that the documents of this build need, for a site service
// that has another build. Pictures, the API and all other files are served by the site service in front. Each
// process renders on one core, so several processes share the port; the primary process restarts those that
// end.
import cluster from "node:cluster";
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { availableParallelism } from "node:os";
import process from "node:process";
import { createRequestListener } from "@remix-run/node-fetch-server";
import { inTrace, logJson } from "./log.js";
import { readSettings } from "./settings.js";

// React chooses between its production and its slow development build when it is imported: hence the late
// imports below.
process.env.NODE_ENV ??= "production";

if (process.env.LOG_FORMAT === "json") logJson();

const { settings, wrong } = readSettings(process.env, availableParallelism());
const { host, port } = settings;

/** The routes decide which pages accept a form: one without an action answers 405. */
const METHODS = ["GET", "HEAD", "POST"];
/** A header that the door sends when it requests pages, and that health checks don't send. */
const DOOR_HEADER = "almijara-min-sequence";
/** The path of the build's files with a hash in their names. */
const ASSETS_PREFIX = "/assets/";
/** How many documents a process renders at the same time; further requests are refused, not queued. */
const MAX_RENDERS = 64;
/** How long requests in flight may take to finish after SIGTERM. */
const GRACE_MS = 8_000;
/** How often idle connections are closed in the meantime. */
const IDLE_POLL_MS = 50;

/** Starts the renderers, and restarts those that end. */
function runPrimary() {
  for (const reason of wrong) console.error(`renderer: ${reason}`);
  // The exit code of every role for an invalid configuration.
  if (wrong.length > 0) process.exit(2);
  let isListening = false;
  let isEnding = false;
  cluster.on("listening", (_, { port: actualPort }) => {
    if (!isListening) console.log(`renderer listening on http://${host}:${actualPort}`);
    isListening = true;
  });
  cluster.on("exit", (_, code, signal) => {
    if (isEnding) return;
    // A renderer that can't start would not start the next time either.
    if (!isListening) process.exit(code || 1);
    console.error(`a renderer ended (${signal ?? code}) and is started again`);
    cluster.fork();
  });
  // Each only once: the second signal ends this process at once, and with it the renderers and their requests
  // in flight.
  for (const signal of ["SIGTERM", "SIGINT"]) {
    process.once(signal, () => {
      isEnding = true;
      for (const renderer of Object.values(cluster.workers ?? {})) renderer?.process.kill();
    });
  }
  for (let started = 0; started < settings.renderers; started += 1) cluster.fork();
}

/**
 * Returns a handler for the files of the build at `client` that have a hash in their names. Only files that
 * exist at start are served, so no path leads outside the folder.
 *
 * @param {string} client
 */
async function assetHandler(client) {
  const names = await readdir(new URL(`${client}${ASSETS_PREFIX}`)).catch(() => []);
  const known = new Set(names.map((name) => ASSETS_PREFIX + name));
  /** @param {string} path */
  return async (path) => {
    const body = known.has(path) ? await readFile(new URL(client + path)).catch(() => null) : null;
    return new Response(body, { status: body ? 200 : 404 });
  };
}

async function runWorker() {
  const folder = process.env.CATALOGUE === "1" ? "build-catalogue" : "build";
  const { createRequestHandler } = await import("react-router");
  const build = await import(new URL(`./${folder}/server/index.js`, import.meta.url).href);
  const document = createRequestHandler(build, process.env.NODE_ENV);
  const buildId = build.assets.version;
  // The root loader passes it to the pages, which so notice that the site has another build.
  process.env.BUILD_ID = buildId;
  const file = await assetHandler(new URL(`./${folder}/client`, import.meta.url).href);
  let rendering = 0;

  /** @param {Request} request */
  async function handle(request) {
    const { pathname } = new URL(request.url);
    // A visitor's request for this path means a page, as with any other path.
    if (pathname === "/healthz" && !request.headers.has(DOOR_HEADER)) return new Response("ok\n");
    if (!METHODS.includes(request.method)) {
      return new Response(null, { status: 405, headers: { allow: METHODS.join(", ") } });
    }
    if (pathname.startsWith(ASSETS_PREFIX)) return file(pathname);
    if (rendering >= MAX_RENDERS) {
      return new Response(null, {
        status: 503,
        headers: { "retry-after": "1", "cache-control": "no-store" },
      });
    }
    rendering += 1;
    try {
      const page = await document(request);
      // The door caches a page of another build than its own only for a moment.
      page.headers.set("almijara-build", buildId);
      return page;
    } finally {
      rendering -= 1;
    }
  }

  /** @param {Request} request */
  const answer = (request) => inTrace(request.headers.get("traceparent"), () => handle(request));

  const server = createServer(
    {
      requestTimeout: 5_000,
      headersTimeout: 5_000,
      keepAliveTimeout: 65_000,
    },
    createRequestListener(answer, {
      onError(error) {
        console.error(error);
        return new Response(null, { status: 500, headers: { "cache-control": "no-store" } });
      },
    }),
  );
  server.on("error", (error) => {
    console.error(`the renderer can't listen on ${host}:${port}: ${error.message}`);
    process.exit(1);
  });
  server.listen(port, host);

  process.once("SIGTERM", () => {
    server.close(() => process.exit(0));
    server.closeIdleConnections();
    // A connection stays open for a next request after its response, but that request would not be answered.
    setInterval(() => server.closeIdleConnections(), IDLE_POLL_MS).unref();
    setTimeout(() => process.exit(0), GRACE_MS).unref();
  });
  // systemd sends SIGTERM to every process, and the primary process forwards it. Without this listener the
  // second signal would end requests in flight.
  process.on("SIGTERM", () => {});
  // A terminal sends SIGINT to every process; the primary process forwards it as SIGTERM.
  process.on("SIGINT", () => {});
}

if (cluster.isPrimary) runPrimary();
else await runWorker();
