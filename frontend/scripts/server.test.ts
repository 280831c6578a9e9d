import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

const FRONTEND = new URL("..", import.meta.url).pathname;

/** A generous timeout, so that a small and busy machine passes too. */
const LIMIT = { timeout: 30_000 };

/** A fake build for the renderer's server. Its only page is the query service's answer. */
const BUILD = `
const loader = async () => new Response(await (await fetch(process.env.QUERY_URL)).text());
export const routes = { page: { id: "page", path: "page", module: { loader } } };
export const entry = { module: {} };
export const assets = { version: "1", url: "", entry: { module: "", imports: [] }, routes: {} };
export const future = {};
export const ssr = true;
export const basename = "/";
export const publicPath = "/";
export const assetsBuildDirectory = "";
export const isSpaMode = false;
export const prerender = [];
export const routeDiscovery = { mode: "initial" };
`;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "almijara-renderer-"));
  for (const file of ["server.js", "settings.js", "log.js", "package.json"]) {
    cpSync(join(FRONTEND, file), join(folder, file));
  }
  symlinkSync(join(FRONTEND, "node_modules"), join(folder, "node_modules"));
  mkdirSync(join(folder, "build/server"), { recursive: true });
  writeFileSync(join(folder, "build/server/index.js"), BUILD);
});

afterEach(() => rmSync(folder, { recursive: true }));

/** Starts a renderer and requests a page, whose answer waits until `give` is called. */
async function rendering() {
  const { promise: asked, resolve: ask } = Promise.withResolvers<ServerResponse>();
  const query = createServer((_, answer) => ask(answer)).listen(0, "127.0.0.1");
  await once(query, "listening");
  const { port } = query.address() as AddressInfo;
  const first = spawn(process.execPath, ["server.js"], {
    cwd: folder,
    env: { ...process.env, PORT: "0", RENDERERS: "1", QUERY_URL: `http://127.0.0.1:${port}` },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(first, "exit").then(([code, signal]) => code ?? signal);
  const [line] = await once(first.stdout, "data");
  const url = /http:\S+/.exec(String(line))?.[0];
  const children = readFileSync(`/proc/${first.pid}/task/${first.pid}/children`, "utf8");
  const page = fetch(`${url}/page`).then((answer) => answer.text());
  const answer = await asked;
  return {
    first: Number(first.pid),
    second: Number(children),
    ended,
    page,
    /** Whether new requests are accepted. A request during the shutdown may get no answer. */
    letsIn: () =>
      fetch(`${url}/healthz`, { signal: AbortSignal.timeout(3_000) }).then(
        (answer) => answer.ok,
        () => false,
      ),
    /** Completes the page with these words. */
    give: (words: string) => answer.end(words),
    [Symbol.dispose]() {
      first.kill("SIGKILL");
      query.close();
    },
  };
}

test(
  "a request in flight completes after SIGTERM, however many processes receive the signal",
  LIMIT,
  async () => {
    using renderer = await rendering();
    process.kill(renderer.first);
    await expect.poll(renderer.letsIn, LIMIT).toBe(false);
    process.kill(renderer.second);
    renderer.give("all of it");
    expect(await renderer.page).toBe("all of it");
    expect(await renderer.ended).toBe(0);
  },
);

test("a second SIGTERM ends the renderer at once", LIMIT, async () => {
  using renderer = await rendering();
  process.kill(renderer.first);
  await expect.poll(renderer.letsIn, LIMIT).toBe(false);
  const cut = expect(renderer.page).rejects.toThrow();
  process.kill(renderer.first);
  expect(await renderer.ended).toBe("SIGTERM");
  await cut;
});
