// The renderer: documents, and the files that the documents of this build need, for a site that has
// another build. Pictures, the API and all other files are the site service's, in front.
// One process renders on one core, so that several share the port; the first keeps them alive.
import cluster from "node:cluster";
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { availableParallelism } from "node:os";
import process from "node:process";
import { createRequestListener } from "@remix-run/node-fetch-server";
import { inTrace, speakJson } from "./log.js";
import { readSettings } from "./settings.js";

// React decides at its import whether it is the slow, talkative build: hence the late imports below.
process.env.NODE_ENV ??= "production";

if (process.env.LOG_FORMAT === "json") speakJson();

const { settings, wrong } = readSettings(process.env, availableParallelism());
const { host, port } = settings;

/** Which page takes a form, its route knows: one without an action answers 405. */
const METHODS = ["GET", "HEAD", "POST"];
/** What the door asks for pages with, and nobody for this process's health. */
const OF_THE_DOOR = "almijara-min-sequence";
/** Where the build's files with a hash in their names are. */
const HASHED = "/assets/";
/** Documents that a process may have in the making; more are turned away, not queued. */
const MAX_RENDERS = 64;
/** How long requests that are under way may take to end after SIGTERM. */
const GRACE_MS = 8_000;
/** How often connections are closed meanwhile whose request has ended. */
const IDLE_POLL_MS = 50;

/** Starts the renderers, and again whichever ends. */
function lead() {
  for (const reason of wrong) console.error(`renderer: ${reason}`);
  // As every role ends that is told something wrong.
  if (wrong.length > 0) process.exit(2);
  let isListening = false;
  let isEnding = false;
  cluster.on("listening", (_, { port: own }) => {
    if (!isListening) console.log(`renderer listening on http://${host}:${own}`);
    isListening = true;
  });
  cluster.on("exit", (_, code, signal) => {
    if (isEnding) return;
    // What can't start, will not start the next time either.
    if (!isListening) process.exit(code || 1);
    console.error(`a renderer ended (${signal ?? code}) and is started again`);
    cluster.fork();
  });
  // Each once: told again, this process ends at once, and with it the others, whatever is under way.
  for (const signal of ["SIGTERM", "SIGINT"]) {
    process.once(signal, () => {
      isEnding = true;
      for (const renderer of Object.values(cluster.workers ?? {})) renderer?.process.kill();
    });
  }
  for (let started = 0; started < settings.renderers; started += 1) cluster.fork();
}

/**
 * Gives the files of the build at `client` that have a hash in their names. Only what is there now is
 * ever looked for: no path leads out.
 * @param {string} client
 */
async function filesOf(client) {
  const names = await readdir(new URL(`${client}${HASHED}`)).catch(() => []);
  const known = new Set(names.map((name) => HASHED + name));
  /** @param {string} path */
  return async (path) => {
    const body = known.has(path) ? await readFile(new URL(client + path)).catch(() => null) : null;
    return new Response(body, { status: body ? 200 : 404 });
  };
}

async function render() {
  const folder = process.env.CATALOGUE === "1" ? "build-catalogue" : "build";
  const { createRequestHandler } = await import("react-router");
  const build = await import(new URL(`./${folder}/server/index.js`, import.meta.url).href);
  const document = createRequestHandler(build, process.env.NODE_ENV);
  const buildId = build.assets.version;
  const file = await filesOf(new URL(`./${folder}/client`, import.meta.url).href);
  let rendering = 0;

  /** @param {Request} request */
  async function handle(request) {
    const { pathname } = new URL(request.url);
    // A visitor who asks for it means a page, as with any other address.
    if (pathname === "/healthz" && !request.headers.has(OF_THE_DOOR)) return new Response("ok\n");
    if (!METHODS.includes(request.method)) {
      return new Response(null, { status: 405, headers: { allow: METHODS.join(", ") } });
    }
    if (pathname.startsWith(HASHED)) return file(pathname);
    if (rendering >= MAX_RENDERS) {
      return new Response(null, {
        status: 503,
        headers: { "retry-after": "1", "cache-control": "no-store" },
      });
    }
    rendering += 1;
    try {
      const page = await document(request);
      // The door keeps a page of another build than its own for a moment only.
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
    // One that has had its answer is kept for a next request, which nobody answers any more.
    setInterval(() => server.closeIdleConnections(), IDLE_POLL_MS).unref();
    setTimeout(() => process.exit(0), GRACE_MS).unref();
  });
  // systemd sends it to every process, and the first one passes it on: with nobody who listens, the
  // second one would end what is under way.
  process.on("SIGTERM", () => {});
  // A terminal sends it to every process; the first one passes it on.
  process.on("SIGINT", () => {});
}

if (cluster.isPrimary) lead();
else await render();
