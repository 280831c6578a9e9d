import type { Overview } from "#console/lib/api/types.ts";

/** Whether what is shown follows what happens, and since when. */
export interface Connection {
  readonly state: "connecting" | "live" | "lost";
  /** By the browser's clock. */
  readonly since: number;
}

/** The service says something every two seconds. */
const SILENT_MS = 10_000;
const AGAIN_MS = 3_000;
/** A hidden page keeps its stream this long: browsers allow few of them to one origin. */
const HIDDEN_LIMIT_MS = 30_000;

/** What is used of the browser's `EventSource`. */
export interface OverviewSource {
  addEventListener(type: string, listener: (event: { data?: unknown }) => void): void;
  close(): void;
}

interface Following {
  open: () => OverviewSource;
  receive: (overview: Overview) => void;
  onConnection: (connection: Connection) => void;
  /** Asks for the overview by itself, where the stream does not bring it. */
  readOnce: () => void;
}

/**
 * Follows the overview until the returned function is called. The browser opens a lost stream again by
 * itself, but not one that was refused, and one that only hangs it does not notice: so each try is
 * ours. As long as none brings anything, the overview is asked for with each. A page that is hidden rests.
 */
export function followOverview({ open, receive, onConnection, readOnce }: Following): () => void {
  let connection: Connection = { state: "connecting", since: Date.now() };
  let source: OverviewSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hidden: ReturnType<typeof setTimeout> | undefined;

  const become = (state: Connection["state"]) => {
    if (connection.state === state) return;
    connection = { state, since: Date.now() };
    onConnection(connection);
  };
  const expect = () => {
    clearTimeout(timer);
    timer = setTimeout(lose, SILENT_MS);
  };
  const end = () => {
    clearTimeout(timer);
    source?.close();
    source = undefined;
  };
  const lose = () => {
    end();
    become("lost");
    readOnce();
    timer = setTimeout(begin, AGAIN_MS);
  };
  const begin = () => {
    const begun = open();
    source = begun;
    begun.addEventListener("overview", ({ data }) => {
      if (source !== begun) return;
      const overview = parse(data);
      if (!overview) return;
      expect();
      receive(overview);
      become("live");
    });
    begun.addEventListener("error", () => {
      if (source === begun) lose();
    });
    expect();
  };

  const rest = () => {
    end();
    // What is lost stays so until more is told.
    if (connection.state === "live") become("connecting");
  };
  const onVisibility = () => {
    clearTimeout(hidden);
    if (document.hidden) hidden = setTimeout(rest, HIDDEN_LIMIT_MS);
    else if (!source) begin();
  };

  document.addEventListener("visibilitychange", onVisibility);
  // One that was opened in the background waits until it is seen.
  if (!document.hidden) begin();
  return () => {
    document.removeEventListener("visibilitychange", onVisibility);
    clearTimeout(hidden);
    end();
  };
}

function parse(data: unknown): Overview | undefined {
  try {
    return JSON.parse(String(data)) as Overview;
  } catch {
    return undefined;
  }
}
