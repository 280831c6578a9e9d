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

/** A limit, not a promise: a small machine that is busy with something else gets there too. */
const LIMIT = { timeout: 30_000 };

/** A build whose one page is what the query service answers, as far as the renderer's server can tell. */
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

/** A renderer that makes a page, for which it waits until that is given its words. */
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
    /** Whether somebody new is let in. Who comes while it is about to close may be left standing. */
    letsIn: () =>
      fetch(`${url}/healthz`, { signal: AbortSignal.timeout(3_000) }).then(
        (answer) => answer.ok,
        () => false,
      ),
    /** Gives the page its words. */
    give: (words: string) => answer.end(words),
    [Symbol.dispose]() {
      first.kill("SIGKILL");
      query.close();
    },
  };
}

test(
  "what is under way when the renderer is told to end ends whole, however often its process hears it",
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

test("a renderer that is told to end once more ends at once", LIMIT, async () => {
  using renderer = await rendering();
  process.kill(renderer.first);
  await expect.poll(renderer.letsIn, LIMIT).toBe(false);
  const cut = expect(renderer.page).rejects.toThrow();
  process.kill(renderer.first);
  expect(await renderer.ended).toBe("SIGTERM");
  await cut;
});
