import type { Overview } from "#console/lib/api/types.ts";

/** The state of the live connection, and since when it has it. */
export interface Connection {
  readonly state: "connecting" | "live" | "lost";
  /** Milliseconds since the epoch by the browser's clock. */
  readonly since: number;
}

/** A stream is lost after this silence; the service sends an event every two seconds. */
const SILENCE_LIMIT_MS = 10_000;
const RETRY_MS = 3_000;
/** A hidden page closes its stream after this time: browsers allow few connections to one origin. */
const HIDDEN_LIMIT_MS = 30_000;

/** The part of the browser's `EventSource` that is used. */
export interface OverviewSource {
  addEventListener(type: string, listener: (event: { data?: unknown }) => void): void;
  close(): void;
}

interface Following {
  open: () => OverviewSource;
  receive: (overview: Overview) => void;
  onConnection: (connection: Connection) => void;
  /** Requests the overview once, while the stream does not deliver it. */
  readOnce: () => void;
}

/**
 * Follows the overview until the returned function is called. The browser reopens a lost stream by
 * itself, but not a refused one, and it does not notice a silent one: so this function makes each try.
 * With each failed try it requests the overview once. While the page is hidden the stream is closed.
 */
export function followOverview({ open, receive, onConnection, readOnce }: Following): () => void {
  let connection: Connection = { state: "connecting", since: Date.now() };
  let source: OverviewSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hidden: ReturnType<typeof setTimeout> | undefined;

  const setState = (state: Connection["state"]) => {
    if (connection.state === state) return;
    connection = { state, since: Date.now() };
    onConnection(connection);
  };
  const restartTimeout = () => {
    clearTimeout(timer);
    timer = setTimeout(onLost, SILENCE_LIMIT_MS);
  };
  const disconnect = () => {
    clearTimeout(timer);
    source?.close();
    source = undefined;
  };
  const onLost = () => {
    disconnect();
    setState("lost");
    readOnce();
    timer = setTimeout(connect, RETRY_MS);
  };
  const connect = () => {
    const opened = open();
    source = opened;
    opened.addEventListener("overview", ({ data }) => {
      if (source !== opened) return;
      const overview = parse(data);
      if (!overview) return;
      restartTimeout();
      receive(overview);
      setState("live");
    });
    opened.addEventListener("error", () => {
      if (source === opened) onLost();
    });
    restartTimeout();
  };

  const suspend = () => {
    disconnect();
    // A lost connection stays lost until an overview arrives.
    if (connection.state === "live") setState("connecting");
  };
  const onVisibility = () => {
    clearTimeout(hidden);
    if (document.hidden) hidden = setTimeout(suspend, HIDDEN_LIMIT_MS);
    else if (!source) connect();
  };

  document.addEventListener("visibilitychange", onVisibility);
  // A page that was opened in the background waits until it is visible.
  if (!document.hidden) connect();
  return () => {
    document.removeEventListener("visibilitychange", onVisibility);
    clearTimeout(hidden);
    disconnect();
  };
}

function parse(data: unknown): Overview | undefined {
  try {
    return JSON.parse(String(data)) as Overview;
  } catch {
    return undefined;
  }
}
