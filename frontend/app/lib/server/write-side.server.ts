import { Replaceable } from "./replaceable.server.ts";

const ANSWER_LIMIT_MS = 6_000;
const commandUrl = (process.env.COMMAND_URL ?? "http://127.0.0.1:8082").replace(/\/$/, "");

const command = new Replaceable();

/** What of a visitor's request the write side hears. */
const PASSED_ON = ["cookie", "referer", "user-agent", "x-forwarded-for"];

/** What the write side says. */
export interface WriteSideAnswer {
  readonly status: number;
  /** The JSON of it; nothing where there is none. */
  readonly body: unknown;
  /** Its cookies, to be handed to the visitor. */
  readonly cookies: Headers;
}

/** Asks the write side for the visitor who sent `request`. Where it does not answer, it says 503. */
export async function askWriteSide(
  request: Request,
  path: string,
  { method = "GET", body }: { method?: string; body?: unknown } = {},
): Promise<WriteSideAnswer> {
  const headers = new Headers();
  for (const name of PASSED_ON) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  if (body !== undefined) headers.set("content-type", "application/json");
  try {
    const asked = {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
    };
    const answer = await command.reach(() => fetch(commandUrl + path, asked));
    const cookies = new Headers();
    for (const cookie of answer.headers.getSetCookie()) cookies.append("set-cookie", cookie);
    return { status: answer.status, body: await answer.json().catch(() => undefined), cookies };
  } catch {
    return { status: 503, body: undefined, cookies: new Headers() };
  }
}
