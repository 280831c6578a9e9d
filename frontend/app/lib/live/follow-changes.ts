import type { QueryClient } from "@tanstack/react-query";
import type { Answer } from "#app/lib/api/answer.ts";
import { isGone } from "#app/lib/query/api-query.ts";
import { freshness } from "#app/lib/query/freshness.ts";
import { EventStreamParser, type StreamEvent } from "./event-stream.ts";

/** The stream sends a comment every ten seconds: a longer silence than this means a lost connection. */
const SILENCE_LIMIT_MS = 25_000;
const MIN_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 30_000;
/** A hidden page keeps its connection this long: browsers limit the connections to one origin. */
const HIDDEN_LIMIT_MS = 30_000;
const RECONNECT_MS = 250;
/**
 * How long changes are collected before queries are invalidated. A change of a place is sent once for each of
 * its homes, within milliseconds, and should cause only one refetch.
 */
const COLLECT_MS = 100;
/** The delay before failed queries are fetched again. */
const REFETCH_FAILED_MS = 30_000;
/** The stream's limit of tags. A page with more subscribes to all changes. */
const MAX_TAGS = 50;

/**
 * Keeps the client's cached answers up to date until the signal aborts: each change on the stream invalidates
 * the answers that carry one of its tags. A connection starts at the position of the cached answers, so that
 * no change between a page's rendering and its first connection is missed. Invalidated answers that could not
 * be fetched are retried after a while, and with each new connection.
 */
export function followChanges(client: QueryClient, stop: AbortSignal): void {
  let connection: AbortController | undefined;
  let subscribedTags = new Set<string>();
  let backoff = MIN_BACKOFF_MS;
  // Separate timers, so that scheduling one task does not cancel another.
  type Timer = ReturnType<typeof setTimeout> | undefined;
  const timers: Record<"connect" | "hide" | "retry" | "flush", Timer> = {
    connect: undefined,
    hide: undefined,
    retry: undefined,
    flush: undefined,
  };
  const pending: PendingChanges = new Map();
  /**
   * Whether failed queries were scheduled for another try since the last success: a site that is down is not
   * polled forever.
   */
  let isRefetchScheduled = false;

  const schedule = (name: keyof typeof timers, task: () => void, delay: number) => {
    clearTimeout(timers[name]);
    timers[name] = setTimeout(task, delay);
  };

  const onEvent = (event: StreamEvent) => {
    const isFirst = pending.size === 0;
    collectEvent(client, pending, event);
    if (isFirst && pending.size > 0)
      schedule("flush", () => invalidateOutdated(client, pending), COLLECT_MS);
  };

  const connect = async () => {
    connection?.abort();
    connection = undefined;
    if (stop.aborted || document.hidden) return;
    const current = new AbortController();
    connection = current;
    subscribedTags = cachedTags(client);
    try {
      const onOpen = () => {
        backoff = MIN_BACKOFF_MS;
        isRefetchScheduled = false;
        refetchFailed(client);
      };
      await listen(
        client,
        subscribedTags,
        AbortSignal.any([stop, current.signal]),
        onOpen,
        onEvent,
      );
    } catch {
      // Whatever ended the connection, the next one continues from the same position.
    }
    // Another connection may have replaced this one.
    if (stop.aborted || connection !== current) return;
    connection = undefined;
    schedule("connect", connect, backoff * (0.5 + Math.random()));
    backoff = Math.min(backoff * 2, MAX_BACKOFF_MS);
  };

  const unsubscribe = client.getQueryCache().subscribe((event) => {
    if (event.type !== "added" && event.type !== "updated") return;
    const done = event.type === "updated" ? event.action.type : undefined;
    if (done === "success") {
      isRefetchScheduled = false;
      const { data, dataUpdateCount } = event.query.state;
      const { sequence } = data as Answer<unknown>;
      // It was requested before the latest change, which found no cached answer to invalidate. So the stream
      // restarts at the answer's position, to send again what the answer lacks.
      if (dataUpdateCount === 1 && sequence < (freshness.get() ?? 0)) {
        freshness.restart(sequence);
        disconnect();
        schedule("connect", connect, RECONNECT_MS);
      }
    }
    if (done === "error" && !isRefetchScheduled) {
      isRefetchScheduled = true;
      schedule("retry", () => refetchFailed(client), REFETCH_FAILED_MS);
    }
    // A page that was navigated to has tags that the connection does not include yet.
    if (![...cachedTags(client)].every((tag) => subscribedTags.has(tag)))
      schedule("connect", connect, RECONNECT_MS);
  });

  const disconnect = () => {
    const current = connection;
    connection = undefined;
    current?.abort();
  };
  const connectAtOnce = () => {
    backoff = MIN_BACKOFF_MS;
    schedule("connect", connect, 0);
  };
  const onVisibility = () => {
    if (document.hidden) return schedule("hide", disconnect, HIDDEN_LIMIT_MS);
    clearTimeout(timers.hide);
    if (!connection) connectAtOnce();
  };
  document.addEventListener("visibilitychange", onVisibility, { signal: stop });
  // Reconnects at once when the browser is online again: from then on no note warns of old prices. An earlier
  // connection may be dead without having failed.
  addEventListener("online", connectAtOnce, { signal: stop });
  stop.addEventListener("abort", () => {
    for (const timer of Object.values(timers)) clearTimeout(timer);
    unsubscribe();
    // The next follower starts after these changes, so they are applied now.
    invalidateOutdated(client, pending);
  });
  void connect();
}

/** Refetches the page's failed queries, except those whose resource is gone. */
function refetchFailed(client: QueryClient): void {
  void client.refetchQueries({
    type: "active",
    predicate: ({ state }) => state.status === "error" && !isGone(state.error),
  });
}

function cachedAnswers(client: QueryClient): Answer<unknown>[] {
  return client
    .getQueryCache()
    .getAll()
    .flatMap(({ state }) => (state.data === undefined ? [] : [state.data as Answer<unknown>]));
}

/**
 * Returns the tags of the cached answers. A change of a property also carries the tag of the property list,
 * so that tag stands for all of them.
 */
function cachedTags(client: QueryClient): Set<string> {
  const tags = new Set(cachedAnswers(client).flatMap((answer) => answer.tags));
  if (tags.has("list:properties")) {
    for (const tag of tags) if (tag.startsWith("property:")) tags.delete(tag);
  }
  return tags;
}

/**
 * Returns the position where a new connection starts: that of the latest change, or else that of the oldest
 * cached answer.
 */
function startingPoint(client: QueryClient): number | undefined {
  const latest = freshness.get();
  if (latest !== undefined) return latest;
  const sequences = cachedAnswers(client).map(({ sequence }) => sequence);
  return sequences.length > 0 ? Math.min(...sequences) : undefined;
}

async function listen(
  client: QueryClient,
  tags: Set<string>,
  signal: AbortSignal,
  onOpen: () => void,
  onEvent: (event: StreamEvent) => void,
): Promise<void> {
  const start = startingPoint(client);
  const filter =
    tags.size > 0 && tags.size <= MAX_TAGS
      ? `?tags=${[...tags].map(encodeURIComponent).join(",")}`
      : "";
  const silence = new AbortController();
  let silenceTimer = setTimeout(() => silence.abort(), SILENCE_LIMIT_MS);
  try {
    const response = await fetch(`/api/changes${filter}`, {
      headers: {
        accept: "text/event-stream",
        ...(start !== undefined && { "last-event-id": String(start) }),
      },
      cache: "no-store",
      signal: AbortSignal.any([signal, silence.signal]),
    });
    if (!response.ok || !response.body) throw new Error(`no stream: ${response.status}`);
    onOpen();
    const parser = new EventStreamParser();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(silenceTimer);
      silenceTimer = setTimeout(() => silence.abort(), SILENCE_LIMIT_MS);
      for (const event of parser.push(value)) onEvent(event);
    }
  } finally {
    clearTimeout(silenceTimer);
  }
}

interface Change {
  sequence: number;
  tags?: string[];
}

/** Changes that were received but not applied yet: the position of the latest change by tag. */
export type PendingChanges = Map<string, number>;

/** Processes an event: raises the minimum position of later requests, and collects the tags to invalidate. */
export function collectEvent(
  client: QueryClient,
  pending: PendingChanges,
  { event, data }: StreamEvent,
): void {
  const { sequence, tags = [] } = JSON.parse(data) as Change;
  if (event === "reset") {
    // The stream can't tell what has changed in the meantime: all cached answers may be stale.
    freshness.restart(sequence);
    pending.clear();
    void client.invalidateQueries();
    return;
  }
  freshness.raise(sequence);
  if (event !== "changed") return;
  for (const tag of tags) pending.set(tag, Math.max(sequence, pending.get(tag) ?? 0));
}

/**
 * Invalidates the cached answers that are older than the collected changes. Those that the page shows are
 * refetched once.
 */
export function invalidateOutdated(client: QueryClient, pending: PendingChanges): void {
  const isOutdated = ({ sequence, tags }: Answer<unknown>) =>
    tags.some((tag) => sequence < (pending.get(tag) ?? 0));
  void client.invalidateQueries({
    predicate: ({ state }) => state.data !== undefined && isOutdated(state.data as Answer<unknown>),
  });
  pending.clear();
}
