import { CallError, type Problem } from "./call-error.ts";

/** The timeout of a call. Longer than the service's own timeout for a role. */
const TIMEOUT_MS = 35_000;

/** Requests `path` from the console's service. */
export function getJson<Body>(path: string, signal?: AbortSignal): Promise<Body> {
  return call<Body>(path, signal ? { signal } : {});
}

/** Sends an action, and returns the answer's body; undefined if it is empty. */
export function sendJson<Body>(
  path: string,
  body?: unknown,
  method: "POST" | "DELETE" = "POST",
): Promise<Body> {
  return call<Body>(path, {
    method,
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    }),
  });
}

async function call<Body>(path: string, { signal, headers, ...init }: RequestInit): Promise<Body> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  let response: Response;
  let text: string;
  try {
    response = await fetch(path, {
      ...init,
      headers: { accept: "application/json", ...headers },
      // No cache may keep what a signed-in operator saw.
      cache: "no-store",
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    text = await response.text();
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new CallError({ status: 0, code: timeout.aborted ? "too-late" : "no-answer" });
  }
  if (!response.ok) throw refusal(response, text);
  if (text === "") return undefined as Body;
  try {
    return JSON.parse(text) as Body;
  } catch {
    // For example a proxy's sign-in page.
    throw new CallError({ status: 0, code: "not-understood" });
  }
}

const TYPE_PREFIX = "urn:almijara:problem:";

function refusal({ status, headers }: Response, text: string): CallError {
  const problem = asProblem(text);
  const wait = Number(headers.get("retry-after"));
  return new CallError({
    status,
    code: problem.type?.startsWith(TYPE_PREFIX) ? problem.type.slice(TYPE_PREFIX.length) : "",
    title: problem.title,
    detail: problem.detail,
    fields: problem.errors,
    retryAfterSeconds: wait > 0 ? wait : undefined,
  });
}

function asProblem(text: string): Problem {
  try {
    const problem: unknown = JSON.parse(text);
    return typeof problem === "object" && problem !== null ? (problem as Problem) : {};
  } catch {
    return {};
  }
}
