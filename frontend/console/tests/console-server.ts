import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import type { Merged, Session } from "#console/lib/api/types.ts";
import { type Everything, everything } from "./answers/everything.ts";
import { overview } from "./answers/overview.ts";

/** The content security policy of the console's service. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'";
const BUILD = new URL("../../build/console", import.meta.url).pathname;
const TYPES: Record<string, string> = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};
const COOKIE = "almijara_console";
export const PASSWORD = "a sentence that is long enough";
export const CODE = "123456";
/** The operators by name. */
const OPERATORS: Record<string, { mayAct: boolean }> = {
  ana: { mayAct: true },
  luis: { mayAct: false },
};

/** A recorded action. */
interface RecordedAction {
  path: string;
  body: Record<string, unknown>;
}

/** A fake of the console's service. Its canned answers change after actions as the real ones would. */
export class ConsoleServer {
  /** The current answers of the roles. */
  known: Everything = everything();
  /** The received actions, the oldest first. */
  readonly asked: RecordedAction[] = [];
  /** Problems by path: a call to the path is refused with it. */
  readonly refusals = new Map<string, { status: number; code: string; detail: string }>();
  /** The processes that do not answer, each with the reason. */
  missing: string[] = [];
  /** Whether there is a content service in which redirects can be made. */
  redirects = true;
  url = "";
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  readonly #streams = new Set<ServerResponse>();
  readonly #sessions = new Map<string, string>();
  #connected = true;
  #beat: ReturnType<typeof setInterval> | undefined;

  async listen(): Promise<void> {
    if (!existsSync(join(BUILD, "index.html"))) {
      throw new Error("run `npm run build:console` first");
    }
    await new Promise<void>((done) => this.#server.listen(0, "127.0.0.1", done));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    this.#beat = setInterval(() => {
      for (const stream of this.#streams) this.#tell(stream);
    }, 300);
  }

  async close(): Promise<void> {
    clearInterval(this.#beat);
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  /** Restores the initial state. */
  reset(): void {
    this.known = everything();
    this.asked.length = 0;
    this.refusals.clear();
    this.missing = [];
    this.redirects = true;
    this.connect();
  }

  /** Ends the event streams, and refuses new ones. */
  cut(): void {
    this.#connected = false;
    for (const stream of this.#streams) stream.destroy();
  }

  connect(): void {
    this.#connected = true;
  }

  /** Ends every session. */
  signOutAll(): void {
    this.#sessions.clear();
    for (const stream of this.#streams) stream.destroy();
  }

  #tell(stream: ServerResponse): void {
    stream.write(`event: overview\ndata: ${JSON.stringify(overview(this.known))}\n\n`);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", this.url);
    response.setHeader("content-security-policy", POLICY);
    response.setHeader("x-content-type-options", "nosniff");
    if (!url.pathname.startsWith("/api/")) return file(url.pathname, response);
    if (request.method !== "GET" && request.headers["sec-fetch-site"] !== "same-origin") {
      return problem(
        response,
        403,
        "other-origin",
        "This is only accepted from the console's own pages",
      );
    }
    const body = await bodyOf(request);
    if (url.pathname === "/api/session" && request.method === "POST") {
      return this.#signIn(body, response);
    }
    const token = new RegExp(`${COOKIE}=(\\w+)`).exec(request.headers.cookie ?? "")?.[1] ?? "";
    const name = this.#sessions.get(token);
    if (name === undefined) return problem(response, 401, "not-signed-in", "Not signed in");
    const mayAct = OPERATORS[name]?.mayAct ?? false;
    if (url.pathname === "/api/session") {
      if (request.method === "DELETE") {
        this.#sessions.delete(token);
        return json(response, 204);
      }
      return json(response, 200, this.#session(name, mayAct));
    }
    if (request.method === "POST") return this.#act(name, mayAct, url.pathname, body, response);
    if (url.pathname === "/api/events") return this.#follow(response);
    const refusal = this.refusals.get(url.pathname);
    if (refusal) return problem(response, refusal.status, refusal.code, refusal.detail);
    const answer = this.#look(url);
    if (answer === undefined) return problem(response, 404, "not-found", "there is no such call");
    return json(response, 200, answer);
  }

  #signIn(body: Record<string, unknown>, response: ServerResponse) {
    const { name, password, code } = body as Record<string, string>;
    if (code === "000000") {
      response.setHeader("retry-after", "90");
      return problem(response, 429, "too-many-tries", "Too many wrong tries in a row");
    }
    const operator = OPERATORS[name ?? ""];
    if (!operator || password !== PASSWORD || code !== CODE) {
      return problem(response, 401, "not-signed-in", "Name, password or code is wrong");
    }
    const token = crypto.randomUUID().replaceAll("-", "");
    this.#sessions.set(token, name ?? "");
    response.setHeader("set-cookie", `${COOKIE}=${token}; HttpOnly; SameSite=Strict; Path=/`);
    return json(response, 200, this.#session(name ?? "", operator.mayAct));
  }

  #session(name: string, mayAct: boolean): Session {
    return {
      operator: { name, mayAct },
      expiresAt: new Date(Date.now() + 12 * 3_600_000).toISOString(),
      viaProxy: false,
      redirects: this.redirects,
    };
  }

  #follow(response: ServerResponse) {
    if (!this.#connected) {
      return problem(response, 503, "unavailable", "too many pages of the console are open");
    }
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    this.#streams.add(response);
    response.on("close", () => this.#streams.delete(response));
    this.#tell(response);
  }

  #look({ pathname, searchParams }: URL): unknown {
    const known = this.known;
    const page = <Item extends { id: number }>(items: readonly Item[], size: number) => {
      const before = Number(searchParams.get("before") ?? Number.POSITIVE_INFINITY);
      const rest = items.filter(({ id }) => id < before);
      const first = rest.slice(0, size);
      return { items: first, next: rest.length > size ? (first.at(-1)?.id ?? null) : null };
    };
    const reached = (milliseconds: number) =>
      known.publishes
        .filter(({ sequence }) => searchParams.get("sequences")?.split(",").includes(`${sequence}`))
        .map(({ sequence, publishedAt }) => ({
          sequence,
          at: new Date(Date.parse(publishedAt ?? "") + milliseconds).toISOString(),
        }));
    const merged = <Entry>(entries: Entry[]): Merged<Entry> => ({
      entries,
      missing: this.missing.filter((process) => process.startsWith(pathname.split("/")[2] ?? "")),
    });
    const calls: Record<string, () => unknown> = {
      "/api/overview": () => (this.#connected ? overview(known) : undefined),
      "/api/sync/state": () => known.sync,
      "/api/sync/publishes": () => page(known.publishes, Number(searchParams.get("limit"))),
      "/api/sync/parked": () => known.parked,
      "/api/sync/parked/item": () => known.comparison,
      "/api/projections/state": () => known.projections,
      "/api/projections/applied": () => reached(9),
      "/api/query/indexed": () => merged(reached(6)),
      "/api/site/purged": () => merged(reached(13)),
      "/api/projections/dead-letters": () => known.deadLetters,
      "/api/query/slow": () => merged(known.slow),
      "/api/query/empty-searches": () => merged(known.emptySearches),
      "/api/site/state": () => known.site,
      "/api/site/slow-renders": () => merged(known.slowRenders),
      "/api/site/not-found": () => merged(known.notFound),
      "/api/command/jobs": () => known.jobs,
      "/api/command/deliveries": () => known.deliveries,
      "/api/audit": () => page(known.audit, 100),
    };
    return calls[pathname]?.();
  }

  #act(
    operator: string,
    mayAct: boolean,
    path: string,
    body: Record<string, unknown>,
    response: ServerResponse,
  ) {
    if (!mayAct) return problem(response, 403, "may-not-act", "The account may only look");
    this.asked.push({ path, body });
    const refusal = this.refusals.get(path);
    const [status, answer] = refusal ? [refusal.status, undefined] : this.#do(path, body);
    this.#note(operator, path, body, "begun");
    this.#note(operator, path, body, status < 300 ? `done (${status})` : `refused (${status})`);
    if (refusal) return problem(response, refusal.status, refusal.code, refusal.detail);
    return json(response, status, answer);
  }

  #note(operator: string, path: string, body: Record<string, unknown>, outcome: string): void {
    this.known.audit.unshift({
      id: this.known.audit.length + 1,
      at: new Date().toISOString(),
      operator,
      action: path.slice("/api/".length),
      target: Object.keys(body).length > 0 ? JSON.stringify(body) : "",
      outcome,
      address: "127.0.0.1",
      begun: null,
    });
  }

  #do(path: string, body: Record<string, unknown>): [status: number, answer?: unknown] {
    const { known } = this;
    const list = (name: string) => (body[name] ?? []) as never[];
    switch (path) {
      case "/api/sync/parked/retry": {
        const items = list("items") as { collection: string; key: string }[];
        const hints = list("hints") as number[];
        known.parked.items = known.parked.items.filter(
          (item) =>
            !items.some(
              ({ collection, key }) => item.collection === collection && item.key === key,
            ),
        );
        known.parked.hints = known.parked.hints.filter(({ id }) => !hints.includes(id));
        return [200, { retried: items.length + hints.length }];
      }
      case "/api/sync/parked/drop": {
        const hints = list("hints") as number[];
        known.parked.hints = known.parked.hints.filter(({ id }) => !hints.includes(id));
        return [200, { dropped: hints.length }];
      }
      case "/api/projections/dead-letters/replay":
      case "/api/projections/dead-letters/drop": {
        const subjects = list("subjects") as string[];
        known.deadLetters = known.deadLetters.filter(({ subject }) => !subjects.includes(subject));
        const what = path.endsWith("drop") ? "dropped" : "replayed";
        return [200, { [what]: subjects.length }];
      }
      case "/api/projections/rebuild":
        known.projections.rebuild = {
          running: true,
          kind: "rebuild",
          done: 3_120,
          left: 2_001,
          secondsLeft: 14,
          startedAt: new Date().toISOString(),
          endedAt: null,
          error: null,
        };
        return [202];
      case "/api/sync/reconcile":
        known.sync.reconcile = {
          ...known.sync.reconcile,
          running: true,
          startedAt: new Date().toISOString(),
          endedAt: null,
        };
        return [202];
      case "/api/sync/pause":
      case "/api/sync/resume":
        known.sync.paused[body.what as "capture" | "relay"] = path.endsWith("pause");
        return [204];
      case "/api/site/purge":
        return [200, { purged: body.everything ? 412 : 3 }];
      case "/api/redirects":
        known.notFound = known.notFound.filter((each) => each.path !== body.from);
        return [201, body];
      case "/api/command/jobs/retry":
        return [200, { retried: list("ids").length }];
      default:
        return [204];
    }
  }
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = "";
  for await (const piece of request) text += piece;
  return text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
}

function json(response: ServerResponse, status: number, body?: unknown): void {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}

function problem(response: ServerResponse, status: number, code: string, detail: string): void {
  response.writeHead(status, { "content-type": "application/problem+json" });
  response.end(
    JSON.stringify({ type: `urn:almijara:problem:${code}`, title: detail, status, detail }),
  );
}

/** Sends a file of the build, or its `index.html` for any other path. */
function file(pathname: string, response: ServerResponse): void {
  const named = join(BUILD, normalize(pathname));
  const path = existsSync(named) && statSync(named).isFile() ? named : join(BUILD, "index.html");
  response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream" });
  createReadStream(path).pipe(response);
}
