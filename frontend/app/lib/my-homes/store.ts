import { isMarkedSignedIn, readMe } from "#app/lib/account/account.ts";
import { onStored, read, write } from "#app/lib/browser/stored.ts";
import { forgetLooks } from "./last-look.ts";
import {
  bounded,
  changed,
  type HomeChange,
  inParts,
  type MyHome,
  type MyHomes,
  parsed,
  readHome,
  seenAgain,
  unseen,
} from "./my-home.ts";

const KEY = "my-homes";
const EMPTY: MyHomes = new Map();
const ANSWER_LIMIT_MS = 10_000;
/** What the write side reads at once, with room for what is around it. */
const MOST_BYTES = 24_000;

/** Whether all homes are known: an account is asked for them first, and may not answer. */
export type HomesState = "loading" | "known" | "away";

/** What became of a change. */
export type ChangeOutcome = "kept" | "signed-out" | "too-many" | "failed";

let homes = EMPTY;
/** As the account said last that it keeps them; until it has, as the device does. */
let accountHomes = EMPTY;
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

/** Hears of changes here, in other tabs and of the account, and of who signs in or out elsewhere. */
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
  const after = changed(homes, reference, change);
  if (!after) return "too-many";
  show(after);
  if (!isSignedIn) {
    writeDevice();
    return "kept";
  }
  const put = inTurn(() => send("PUT", `homes/${encodeURIComponent(reference)}`, change));
  try {
    // What the account knew may have come meanwhile, without this change.
    const kept = readHome(await put);
    // Who has signed out meanwhile is nobody to show this to.
    if (!isSignedIn) return "kept";
    accountHomes = withHome(accountHomes, reference, kept);
    show(withHome(homes, reference, kept));
    return "kept";
  } catch (error) {
    const { status } = error as Partial<Response>;
    if (status === 401) {
      // The session has ended: this device keeps them from now on.
      const isNews = isSignedIn;
      if (isNews) leaveAccount();
      const outcome = await changeHome(reference, change);
      return isNews && outcome === "kept" ? "signed-out" : outcome;
    }
    if (!isSignedIn) return "failed";
    show(withHome(homes, reference, accountHomes.get(reference)));
    if (status !== 409) return "failed";
    // They are compared on another device: which, the account says.
    meet();
    return "too-many";
  }
}

/** `all` with what one home is now; without it where nothing is said of it. */
function withHome(all: MyHomes, reference: string, home: MyHome | undefined): MyHomes {
  const others = [...all.values()].filter((each) => each.reference !== reference);
  return bounded(home ? [home, ...others] : others);
}

/**
 * Forgets which homes were seen, and how they stood then: at once here, and then where it is kept.
 *
 * @returns what brings them back; nothing where the account could not forget, and everything is as before.
 */
export async function forgetSeen(): Promise<(() => Promise<"kept" | "failed">) | undefined> {
  const seen = [...homes.values()].filter(({ seenAt }) => seenAt !== null);
  const isOfAccount = isSignedIn;
  show(unseen(homes));
  if (!isSignedIn) writeDevice();
  else {
    try {
      await inTurn(() => send("DELETE", "seen-homes"));
      // What the account knew may have come meanwhile, and who has signed out has other homes.
      if (isSignedIn) {
        accountHomes = unseen(accountHomes);
        show(unseen(homes));
      }
    } catch (error) {
      if ((error as Partial<Response>).status === 401) {
        if (isSignedIn) leaveAccount();
        return forgetSeen();
      }
      if (isSignedIn) show(seenAgain(homes, seen));
      return;
    }
  }
  const rememberLooks = forgetLooks();
  return async () => {
    if (isSignedIn !== isOfAccount) return "failed";
    rememberLooks();
    show(seenAgain(homes, seen));
    if (!isSignedIn) {
      writeDevice();
      return "kept";
    }
    const back = seen.map(({ reference, seenAt }) => ({ reference, seenAt }));
    try {
      for (const part of inParts(back, MOST_BYTES)) {
        await inTurn(() => send("POST", "homes", { homes: part }));
      }
      if (isSignedIn) accountHomes = seenAgain(accountHomes, seen);
      return "kept";
    } catch {
      if (isSignedIn) show(unseen(homes));
      return "failed";
    }
  };
}

function start(): void {
  homes = readDevice();
  onStored(KEY, () => {
    if (!isSignedIn) show(readDevice());
  });
  const lookAgain = ({ persisted }: Partial<PageTransitionEvent>) => {
    // What other pages kept was not told to one that was left; where nothing can be kept, none did.
    const isBehind = persisted && read(KEY);
    if (!document.hidden && (isBehind || isMarkedSignedIn(document.cookie) !== isSignedIn)) meet();
  };
  document.addEventListener("visibilitychange", lookAgain);
  // A step back may bring the page as it was left.
  addEventListener("pageshow", lookAgain);
  meet();
}

/** What the device keeps, and then what the account does where somebody is signed in. */
function meet(): void {
  isSignedIn = isMarkedSignedIn(document.cookie);
  if (isSignedIn) {
    accountHomes = homes;
    sent = sent.then(meetAccount).then(
      () => settle("known"),
      () => settle(isSignedIn ? "away" : "known"),
    );
  } else leaveAccount();
}

/** Nobody is signed in, or no longer: this device keeps the homes. */
function leaveAccount(): void {
  isSignedIn = false;
  accountHomes = EMPTY;
  homes = readDevice();
  settle("known");
}

/** Gives the account what this device kept before, and shows all that the account keeps. */
async function meetAccount(): Promise<void> {
  const me = await readMe();
  if (!me.account) return leaveAccount();
  let kept: readonly unknown[] = me.homes;
  const device = [...readDevice().values()];
  try {
    for (const part of inParts(device, MOST_BYTES)) {
      kept = ((await send("POST", "homes", { homes: part })) as { homes: unknown[] }).homes;
    }
    if (device.length > 0) write(KEY, null);
  } catch {
    // What was not answered is still on the device, and the next page gives it again.
  }
  // Who has signed out meanwhile is nobody to show this to.
  if (!isSignedIn) return;
  accountHomes = bounded(kept.flatMap((each) => readHome(each) ?? []));
  show(accountHomes);
}

/** Asks once all that was asked before is answered. */
function inTurn(question: () => Promise<unknown>): Promise<unknown> {
  const answer = sent.then(question);
  sent = answer.catch(() => undefined);
  return answer;
}

/** What the account answers; it fails with an answer that is no success. */
async function send(method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(`/api/account/${path}`, {
    method,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    // Who changes something may leave the document with that.
    keepalive: true,
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
  });
  if (!answer.ok) throw answer;
  return answer.status === 204 ? undefined : answer.json();
}

function settle(next: HomesState): void {
  state = next;
  show(homes);
}

function show(next: MyHomes): void {
  homes = next;
  for (const listener of listeners) listener();
}

function readDevice(): MyHomes {
  return parsed(read(KEY));
}

/** Where nothing can be kept they last as long as the page. */
function writeDevice(): void {
  write(KEY, JSON.stringify([...homes.values()]));
}
