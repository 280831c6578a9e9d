import { isMarkedSignedIn, readMe } from "#app/lib/account/account.ts";
import { onStored, read, write } from "#app/lib/browser/stored.ts";
import { forgetLooks } from "./last-look.ts";
import {
  changed,
  type HomeChange,
  inParts,
  type MyHomes,
  parsed,
  readHomes,
  seenAgain,
  unseen,
} from "./my-home.ts";

const KEY = "my-homes";
const EMPTY: MyHomes = new Map();
const ANSWER_LIMIT_MS = 10_000;
/** What the write side reads at once, with room for what is around it. */
const MAX_BYTES = 24_000;
/** The status of whatever succeeded. */
const DONE = 200;

/** Whether all homes are known: an account is asked for them first, and may not answer. */
export type HomesState = "loading" | "known" | "away";

/** What became of a change. */
export type ChangeOutcome = "kept" | "signed-out" | "too-many" | "failed";

/** A change that the account has not answered yet. */
interface Change {
  /** The homes with it. */
  make(all: MyHomes): MyHomes;
  /** Sends it, but once; its status is what `send` gives. */
  send(): Promise<number>;
}

/** As they are shown: as they are kept, and over that what is under way, in its order. */
let homes = EMPTY;
/** As the account said last, with what it has taken since; until it has, and without one, as the device does. */
let kept = EMPTY;
const underWay = new Set<Change>();
let state: HomesState = "loading";
/** Whether the account keeps them, and not this device. */
let isSignedIn = false;
let isStarted = false;
const listeners = new Set<() => void>();
/** Changes go to the account one after the other. */
let sent: Promise<unknown> = Promise.resolve();

/** The homes of whoever uses this browser, as far as they are known. */
export function myHomes(): MyHomes {
  return homes;
}

/** Whether these are all. */
export function myHomesState(): HomesState {
  return state;
}

/** Before anything is known of whoever uses this browser: what every page is made with. */
export function nobodysHomes(): MyHomes {
  return EMPTY;
}

/**
 * Hears of changes here and of the device in other tabs, and once this tab is looked at again of those of the
 * account, and of who signs in or out elsewhere.
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
 * Changes what the visitor made of a home: at once here, and then where it is kept.
 *
 * @returns "too-many" where as many are compared as can be; "failed" where the account could not keep
 * it, and the home is as the account has it; "signed-out" where the session has ended, as this change was the
 * first to learn, and the device keeps it.
 */
export async function changeHome(reference: string, change: HomeChange): Promise<ChangeOutcome> {
  const now = new Date().toISOString();
  if (!changed(homes, reference, change, now)) return "too-many";
  const status = await keep(
    (all) => changed(all, reference, change, now) ?? all,
    "PUT",
    `homes/${encodeURIComponent(reference)}`,
    change,
  );
  if (status === 401) {
    // The session has ended: this device keeps them from now on.
    const isNews = isSignedIn;
    if (isNews) leaveAccount();
    const outcome = await changeHome(reference, change);
    return isNews && outcome === "kept" ? "signed-out" : outcome;
  }
  if (status !== 409) return status === DONE ? "kept" : "failed";
  // They are compared on another device: which, the account says.
  meet();
  return "too-many";
}

/**
 * Forgets which homes were seen, and how they stood then: at once here, and then where it is kept.
 *
 * @returns what brings them back; nothing where the account could not forget, and everything is as before.
 */
export async function forgetSeen(): Promise<(() => Promise<"kept" | "failed">) | undefined> {
  const seen = [...homes.values()].filter(({ seenAt }) => seenAt !== null);
  const isOfAccount = isSignedIn;
  const status = await keep(unseen, "DELETE", "seen-homes");
  if (status === 401) {
    if (isSignedIn) leaveAccount();
    return forgetSeen();
  }
  if (status !== DONE) return;
  const rememberLooks = forgetLooks();
  return async () => {
    const back = seen.map(({ reference, seenAt, changedAt }) => ({ reference, seenAt, changedAt }));
    // Who has signed out meanwhile, or does so between two parts, has other homes.
    if (isSignedIn !== isOfAccount) return "failed";
    rememberLooks();
    for (const part of inParts(back, MAX_BYTES)) {
      if (isSignedIn !== isOfAccount) return "failed";
      const make = (all: MyHomes) => seenAgain(all, part);
      const status = await keep(make, "POST", "homes", { homes: part });
      if (status !== DONE) return "failed";
    }
    return "kept";
  };
}

/** Makes a change: at once here, and then where the homes are kept. What the account can't keep is undone. */
async function keep(
  make: Change["make"],
  ...question: readonly [method: string, path: string, body?: unknown]
): Promise<number> {
  if (!isSignedIn) {
    kept = make(kept);
    show();
    // Where nothing can be kept they last as long as the page.
    write(KEY, JSON.stringify([...homes.values()]));
    return DONE;
  }
  let answer: Promise<number> | undefined;
  const change: Change = {
    make,
    send: () => {
      answer ??= send(...question);
      return answer;
    },
  };
  underWay.add(change);
  show();
  const turn = sent.then(change.send);
  sent = turn;
  const status = await turn;
  // Who has signed out meanwhile is nobody to show this to.
  if (underWay.delete(change)) {
    if (status === DONE) kept = make(kept);
    show();
  }
  return status;
}

function start(): void {
  homes = kept = readDevice();
  onStored(KEY, meet);
  // A step back may bring the page as it was left; one that was just made has met them already.
  const lookAgain = ({ persisted = true }: Partial<PageTransitionEvent>) => {
    if (persisted && !document.hidden && (isSignedIn || isMarkedSignedIn(document.cookie))) meet();
  };
  document.addEventListener("visibilitychange", lookAgain);
  addEventListener("pageshow", lookAgain);
  // What waits in turn would be lost with the page.
  addEventListener("pagehide", () => {
    for (const change of underWay) void change.send();
  });
  meet();
}

/** What the device keeps, and then what the account does where somebody is signed in. */
function meet(): void {
  const isNew = !isSignedIn;
  isSignedIn = isMarkedSignedIn(document.cookie);
  if (isSignedIn) {
    sent = sent.then(meetAccount).catch(() => {
      // What is known already stays so.
      if (isNew && isSignedIn) settle("away");
    });
  } else leaveAccount();
}

/** Nobody is signed in, or no longer: this device keeps the homes. */
function leaveAccount(): void {
  isSignedIn = false;
  underWay.clear();
  kept = readDevice();
  settle("known");
}

/** Gives the account what this device kept before, and shows all that the account keeps. */
async function meetAccount(): Promise<void> {
  let me = await readMe();
  if (!me.account) return leaveAccount();
  const parts = inParts([...readDevice().values()], MAX_BYTES);
  let given = 0;
  for (const part of parts) {
    if ((await send("POST", "homes", { homes: part })) !== DONE) break;
    given += 1;
  }
  if (given > 0) {
    me = await readMe();
    // What was not answered is still on the device, and the next page gives it again.
    if (given === parts.length) write(KEY, null);
  }
  // Who has signed out meanwhile is nobody to show this to.
  if (!isSignedIn) return;
  kept = readHomes(me.homes);
  settle("known");
}

/** The status of the account's answer: `DONE` for any success, 0 without one. */
function send(method: string, path: string, body?: unknown): Promise<number> {
  return fetch(`/api/account/${path}`, {
    method,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    // Who changes something may leave the document with that.
    keepalive: true,
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
  }).then(
    ({ ok, status }) => (ok ? DONE : status),
    () => 0,
  );
}

function settle(next: HomesState): void {
  state = next;
  show();
}

function show(): void {
  homes = [...underWay].reduce((all, { make }) => make(all), kept);
  for (const listener of listeners) listener();
}

function readDevice(): MyHomes {
  return parsed(read(KEY));
}
