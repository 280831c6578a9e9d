import type { QueryClient } from "@tanstack/react-query";
import type { Answer } from "#app/lib/api/answer.ts";
import { isGone } from "#app/lib/query/api-query.ts";
import { freshness } from "#app/lib/query/freshness.ts";
import { EventStreamParser, type StreamEvent } from "./event-stream.ts";

/** The stream sends a comment each ten seconds: silence beyond this is a lost connection. */
const SILENCE_LIMIT_MS = 25_000;
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;
/** A hidden page keeps its connection this long: browsers allow few of them to one origin. */
const HIDDEN_LIMIT_MS = 30_000;
const REGROUP_MS = 250;
/** A change of a place is told once for each of its homes, within milliseconds: what shows them is asked for once. */
const GATHER_MS = 100;
/** What could not be read again is asked for once more after so long. */
const ASK_AGAIN_MS = 30_000;
/** The stream takes no more tags than this; a page with more listens to everything. */
const MAX_TAGS = 50;

/**
 * Keeps the answers that the client holds as fresh as the site is, until the signal aborts: each
 * change on the stream makes the answers old that carry one of its tags. A connection starts where
 * the answers stand, so that nothing between a page's rendering and its first connection is missed.
 * What a change has made old and nobody could read again is asked for once more by and by, and with each
 * new connection.
 */
export function followChanges(client: QueryClient, stop: AbortSignal): void {
  let connection: AbortController | undefined;
  let listening = new Set<string>();
  let pause = FIRST_PAUSE_MS;
  // Each of its own: what one is about is not forgotten for another.
  type Timer = ReturnType<typeof setTimeout> | undefined;
  const timers: Record<"connect" | "rest" | "again" | "gather", Timer> = {
    connect: undefined,
    rest: undefined,
    again: undefined,
    gather: undefined,
  };
  const news: News = new Map();
  /** Since anything was answered last: a site that is down is not asked on and on. */
  let isAskedAgain = false;

  const schedule = (name: keyof typeof timers, task: () => void, delay: number) => {
    clearTimeout(timers[name]);
    timers[name] = setTimeout(task, delay);
  };

  const hear = (event: StreamEvent) => {
    const isFirst = news.size === 0;
    takeIn(client, news, event);
    if (isFirst && news.size > 0) schedule("gather", () => makeOld(client, news), GATHER_MS);
  };

  const connect = async () => {
    connection?.abort();
    connection = undefined;
    if (stop.aborted || document.hidden) return;
    const current = new AbortController();
    connection = current;
    listening = answerTags(client);
    try {
      const onOpen = () => {
        pause = FIRST_PAUSE_MS;
        isAskedAgain = false;
        askFailedAgain(client);
      };
      await listen(client, listening, AbortSignal.any([stop, current.signal]), onOpen, hear);
    } catch {
      // Whatever cut it, the next connection goes on from the same place.
    }
    // Another connection may have taken this one's place.
    if (stop.aborted || connection !== current) return;
    connection = undefined;
    schedule("connect", connect, pause * (0.5 + Math.random()));
    pause = Math.min(pause * 2, MAX_PAUSE_MS);
  };

  const unsubscribe = client.getQueryCache().subscribe((event) => {
    if (event.type !== "added" && event.type !== "updated") return;
    const done = event.type === "updated" ? event.action.type : undefined;
    if (done === "success") {
      isAskedAgain = false;
      const { data, dataUpdateCount } = event.query.state;
      const { sequence } = data as Answer<unknown>;
      // Asked for before the last news, which found nothing yet to make old: what it lacks is told once more.
      if (dataUpdateCount === 1 && sequence < (freshness.get() ?? 0)) {
        freshness.restart(sequence);
        rest();
        schedule("connect", connect, REGROUP_MS);
      }
    }
    if (done === "error" && !isAskedAgain) {
      isAskedAgain = true;
      schedule("again", () => askFailedAgain(client), ASK_AGAIN_MS);
    }
    // A page that was stepped to brings tags that the connection does not carry yet.
    if (![...answerTags(client)].every((tag) => listening.has(tag)))
      schedule("connect", connect, REGROUP_MS);
  });

  const rest = () => {
    const current = connection;
    connection = undefined;
    current?.abort();
  };
  const connectAtOnce = () => {
    pause = FIRST_PAUSE_MS;
    schedule("connect", connect, 0);
  };
  const onVisibility = () => {
    if (document.hidden) return schedule("rest", rest, HIDDEN_LIMIT_MS);
    clearTimeout(timers.rest);
    if (!connection) connectAtOnce();
  };
  document.addEventListener("visibilitychange", onVisibility, { signal: stop });
  // With the line the note goes that warns of old prices. A connection of before may be dead and not know it.
  addEventListener("online", connectAtOnce, { signal: stop });
  stop.addEventListener("abort", () => {
    for (const timer of Object.values(timers)) clearTimeout(timer);
    unsubscribe();
    // Whoever follows next goes on behind it.
    makeOld(client, news);
  });
  void connect();
}

/** Asks again for what the page shows and could not be read, unless it is gone. */
function askFailedAgain(client: QueryClient): void {
  void client.refetchQueries({
    type: "active",
    predicate: ({ state }) => state.status === "error" && !isGone(state.error),
  });
}

function answers(client: QueryClient): Answer<unknown>[] {
  return client
    .getQueryCache()
    .getAll()
    .flatMap(({ state }) => (state.data === undefined ? [] : [state.data as Answer<unknown>]));
}

/** What the answers here were made from. A change of a property is one of the list of them too. */
function answerTags(client: QueryClient): Set<string> {
  const tags = new Set(answers(client).flatMap((answer) => answer.tags));
  if (tags.has("list:properties")) {
    for (const tag of tags) if (tag.startsWith("property:")) tags.delete(tag);
  }
  return tags;
}

/** Where a new connection starts: after the last news, or where the oldest answer stands. */
function startingPoint(client: QueryClient): number | undefined {
  const heard = freshness.get();
  if (heard !== undefined) return heard;
  const sequences = answers(client).map(({ sequence }) => sequence);
  return sequences.length > 0 ? Math.min(...sequences) : undefined;
}

async function listen(
  client: QueryClient,
  tags: Set<string>,
  signal: AbortSignal,
  onOpen: () => void,
  hear: (event: StreamEvent) => void,
): Promise<void> {
  const start = startingPoint(client);
  const filter =
    tags.size > 0 && tags.size <= MAX_TAGS
      ? `?tags=${[...tags].map(encodeURIComponent).join(",")}`
      : "";
  const silence = new AbortController();
  let alarm = setTimeout(() => silence.abort(), SILENCE_LIMIT_MS);
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
      clearTimeout(alarm);
      alarm = setTimeout(() => silence.abort(), SILENCE_LIMIT_MS);
      for (const event of parser.push(value)) hear(event);
    }
  } finally {
    clearTimeout(alarm);
  }
}

interface Change {
  sequence: number;
  tags?: string[];
}

/** What has been heard of and has made nothing old yet: the position of each tag's last change. */
export type News = Map<string, number>;

/** Takes an event in: what is asked from now on is no older, and what it makes old is gathered. */
export function takeIn(client: QueryClient, news: News, { event, data }: StreamEvent): void {
  const { sequence, tags = [] } = JSON.parse(data) as Change;
  if (event === "reset") {
    // The stream can't say what happened since: everything held may be old.
    freshness.restart(sequence);
    news.clear();
    void client.invalidateQueries();
    return;
  }
  freshness.raise(sequence);
  if (event !== "changed") return;
  for (const tag of tags) news.set(tag, Math.max(sequence, news.get(tag) ?? 0));
}

/** Makes the answers old that the news has overtaken; those that are shown are asked for once. */
export function makeOld(client: QueryClient, news: News): void {
  const isOvertaken = ({ sequence, tags }: Answer<unknown>) =>
    tags.some((tag) => sequence < (news.get(tag) ?? 0));
  void client.invalidateQueries({
    predicate: ({ state }) =>
      state.data !== undefined && isOvertaken(state.data as Answer<unknown>),
  });
  news.clear();
}
