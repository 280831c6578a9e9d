import { isMarkedSignedIn, readMe } from "#app/lib/account/account.ts";
import { onStored, read, write } from "#app/lib/browser/stored.ts";
import { forgetLooks } from "./last-look.ts";
import {
  type HomeChange,
  type MyHomes,
  parseHomes,
  readHomes,
  splitBySize,
  withChange,
  withoutSeen,
  withSeen,
} from "./my-home.ts";

const KEY = "my-homes";
const EMPTY: MyHomes = new Map();
const ANSWER_LIMIT_MS = 10_000;
/** The write side's limit of a request body, with some reserve for what surrounds the homes. */
const MAX_BYTES = 24_000;
/** Stands for any success status. */
const DONE = 200;

/** Whether all homes are known. An account has to be fetched first, which may fail. */
export type HomesState = "loading" | "known" | "away";

/** The outcome of a change. */
export type ChangeOutcome = "kept" | "signed-out" | "too-many" | "failed";

/** A change that the account has not confirmed yet. */
interface Change {
  /** Returns the homes with the change applied. */
  make(all: MyHomes): MyHomes;
  /** Sends it, at most once; resolves to the status as `send` does. */
  send(): Promise<number>;
}

/** The homes as they are shown: as saved, with the pending changes applied in order. */
let homes = EMPTY;
/**
 * The homes as the account last reported them, with the changes that it has confirmed since. Before the
 * account has answered, or without one, the homes on the device.
 */
let saved = EMPTY;
const pending = new Set<Change>();
let state: HomesState = "loading";
/** Whether the homes are stored in the account, not on this device. */
let isSignedIn = false;
let isStarted = false;
const listeners = new Set<() => void>();
/** The queue of requests to the account: they are sent one after the other. */
let queue: Promise<unknown> = Promise.resolve();

/** Returns the visitor's homes, as far as they are known. */
export function myHomes(): MyHomes {
  return homes;
}

/** Returns whether these are all. */
export function myHomesState(): HomesState {
  return state;
}

/** Returns the empty homes with which every page is rendered, before anything is known of the visitor. */
export function noHomes(): MyHomes {
  return EMPTY;
}

/**
 * Subscribes to changes made in this tab, in other tabs, and, when this tab becomes visible again, in the
 * account, including sign-ins and sign-outs elsewhere.
 */
export function onMyHomes(listener: () => void): () => void {
  listeners.add(listener);
  if (!isStarted) {
    isStarted = true;
    start();
  }
  return () => listeners.delete(listener);
}

/**
 * Applies a change to a home: at once on the page, and then where the homes are stored.
 *
 * @returns "too-many" if the maximum number of homes is compared already; "failed" if the account could not
 * store the change, which is undone; "signed-out" if this change was the first to learn that the session has
 * ended, and the device stores it instead.
 */
export async function changeHome(reference: string, change: HomeChange): Promise<ChangeOutcome> {
  const now = new Date().toISOString();
  if (!withChange(homes, reference, change, now)) return "too-many";
  const status = await apply(
    (all) => withChange(all, reference, change, now) ?? all,
    "PUT",
    `homes/${encodeURIComponent(reference)}`,
    change,
  );
  if (status === 401) {
    // The session has ended: from now on this device stores the homes.
    const wasSignedIn = isSignedIn;
    if (wasSignedIn) leaveAccount();
    const outcome = await changeHome(reference, change);
    return wasSignedIn && outcome === "kept" ? "signed-out" : outcome;
  }
  if (status !== 409) return status === DONE ? "kept" : "failed";
  // Other homes are compared on another device: fetch them from the account.
  syncWithAccount();
  return "too-many";
}

/**
 * Removes all visits to homes, and their price and status then: at once on the page, and then where the homes
 * are stored.
 *
 * @returns a function that restores them; undefined if the account could not remove them, and everything is
 * as before.
 */
export async function forgetSeen(): Promise<(() => Promise<"kept" | "failed">) | undefined> {
  const seen = [...homes.values()].filter(({ seenAt }) => seenAt !== null);
  const wasSignedIn = isSignedIn;
  const status = await apply(withoutSeen, "DELETE", "seen-homes");
  if (status === 401) {
    if (isSignedIn) leaveAccount();
    return forgetSeen();
  }
  if (status !== DONE) return;
  const rememberLooks = forgetLooks();
  return async () => {
    const back = seen.map(({ reference, seenAt, changedAt }) => ({ reference, seenAt, changedAt }));
    // A visitor who has signed out in the meantime, or does so between two parts, has other homes.
    if (isSignedIn !== wasSignedIn) return "failed";
    rememberLooks();
    for (const part of splitBySize(back, MAX_BYTES)) {
      if (isSignedIn !== wasSignedIn) return "failed";
      const make = (all: MyHomes) => withSeen(all, part);
      const status = await apply(make, "POST", "homes", { homes: part });
      if (status !== DONE) return "failed";
    }
    return "kept";
  };
}

/**
 * Applies a change: at once on the page, and then where the homes are stored. A change that the account can't
 * store is undone.
 */
async function apply(
  make: Change["make"],
  ...request: readonly [method: string, path: string, body?: unknown]
): Promise<number> {
  if (!isSignedIn) {
    saved = make(saved);
    update();
    // If storing fails, the homes last as long as the page.
    write(KEY, JSON.stringify([...homes.values()]));
    return DONE;
  }
  let answer: Promise<number> | undefined;
  const change: Change = {
    make,
    send: () => {
      answer ??= send(...request);
      return answer;
    },
  };
  pending.add(change);
  update();
  const queued = queue.then(change.send);
  queue = queued;
  const status = await queued;
  // A change that is no longer pending belongs to an account that has signed out.
  if (pending.delete(change)) {
    if (status === DONE) saved = make(saved);
    update();
  }
  return status;
}

function start(): void {
  homes = saved = readDevice();
  onStored(KEY, syncWithAccount);
  // A step back may restore the page as it was left; a page that has just loaded has synced already.
  const syncWhenVisible = ({ persisted = true }: Partial<PageTransitionEvent>) => {
    if (persisted && !document.hidden && (isSignedIn || isMarkedSignedIn(document.cookie)))
      syncWithAccount();
  };
  document.addEventListener("visibilitychange", syncWhenVisible);
  addEventListener("pageshow", syncWhenVisible);
  // Queued changes would be lost with the page.
  addEventListener("pagehide", () => {
    for (const change of pending) void change.send();
  });
  syncWithAccount();
}

/** Reads the homes of the account if the visitor is signed in, or else those of the device. */
function syncWithAccount(): void {
  const isFirstSync = !isSignedIn;
  isSignedIn = isMarkedSignedIn(document.cookie);
  if (isSignedIn) {
    queue = queue.then(mergeIntoAccount).catch(() => {
      // Homes that are known already stay known.
      if (isFirstSync && isSignedIn) setState("away");
    });
  } else leaveAccount();
}

/** Switches to the homes on this device: nobody is signed in, or no longer. */
function leaveAccount(): void {
  isSignedIn = false;
  pending.clear();
  saved = readDevice();
  setState("known");
}

/** Sends the account the homes that this device has stored, and reads all homes of the account. */
async function mergeIntoAccount(): Promise<void> {
  let me = await readMe();
  if (!me.account) return leaveAccount();
  const parts = splitBySize([...readDevice().values()], MAX_BYTES);
  let uploaded = 0;
  for (const part of parts) {
    if ((await send("POST", "homes", { homes: part })) !== DONE) break;
    uploaded += 1;
  }
  if (uploaded > 0) {
    me = await readMe();
    // Homes that were not confirmed stay on the device, and the next page sends them again.
    if (uploaded === parts.length) write(KEY, null);
  }
  // The visitor has signed out in the meantime.
  if (!isSignedIn) return;
  saved = readHomes(me.homes);
  setState("known");
}

/** Sends a request to the account. Resolves to `DONE` for any success, 0 without a response, or else the status. */
function send(method: string, path: string, body?: unknown): Promise<number> {
  return fetch(`/api/account/${path}`, {
    method,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    // The visitor may leave the document right after a change.
    keepalive: true,
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
  }).then(
    ({ ok, status }) => (ok ? DONE : status),
    () => 0,
  );
}

function setState(next: HomesState): void {
  state = next;
  update();
}

function update(): void {
  homes = [...pending].reduce((all, { make }) => make(all), saved);
  for (const listener of listeners) listener();
}

function readDevice(): MyHomes {
  return parseHomes(read(KEY));
}
