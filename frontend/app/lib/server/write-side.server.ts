import { Replaceable } from "./replaceable.server.ts";

const ANSWER_LIMIT_MS = 6_000;
const commandUrl = (process.env.COMMAND_URL ?? "http://127.0.0.1:8082").replace(/\/$/, "");

const command = new Replaceable();

/** Headers of the visitor's request that are forwarded to the write side. */
const FORWARDED_HEADERS = ["cookie", "referer", "traceparent", "user-agent", "x-forwarded-for"];

/** A response of the write side. */
export interface WriteSideAnswer {
  readonly status: number;
  /** The parsed JSON; undefined if there is none. */
  readonly body: unknown;
  /** Its `set-cookie` headers, to be forwarded to the visitor. */
  readonly cookies: Headers;
}

/**
 * Sends a request to the write side for the visitor who sent `request`. If it does not answer, the status is
 * 503.
 */
export async function askWriteSide(
  request: Request,
  path: string,
  { method = "GET", body }: { method?: string; body?: unknown } = {},
): Promise<WriteSideAnswer> {
  const headers = new Headers();
  for (const name of FORWARDED_HEADERS) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  if (body !== undefined) headers.set("content-type", "application/json");
  try {
    const init = {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
    };
    const answer = await command.reach(() => fetch(commandUrl + path, init));
    const cookies = new Headers();
    for (const cookie of answer.headers.getSetCookie()) cookies.append("set-cookie", cookie);
    return { status: answer.status, body: await answer.json().catch(() => undefined), cookies };
  } catch {
    return { status: 503, body: undefined, cookies: new Headers() };
  }
}
