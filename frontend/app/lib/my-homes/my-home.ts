/** A home and what its visitor made of it. */
export interface MyHome {
  readonly reference: string;
  readonly favourite: boolean;
  readonly note: string | null;
  readonly hidden: boolean;
  readonly compared: boolean;
  /** When its page was last open. */
  readonly seenAt: string | null;
  readonly changedAt: string;
}

/** What changes of a home; what is left out stays. */
export interface HomeChange {
  readonly favourite?: boolean;
  readonly note?: string;
  readonly hidden?: boolean;
  readonly compared?: boolean;
  /** That its page is open. */
  readonly seen?: true;
}

export type MyHomes = ReadonlyMap<string, MyHome>;

/** The most homes that stand side by side. */
const MAX_COMPARED = 4;
/** The longest note, in characters. */
export const MAX_NOTE_LENGTH = 2_000;
/** What is kept: homes that something was said of, as many as in an account, and others only seen. */
const MAX_CHOSEN = 1_000;
const MAX_SEEN = 100;

const REFERENCE = /^\.*[A-Za-z0-9_-][A-Za-z0-9._-]{0,39}$/;

/** Whether something was said of a home, besides that it was seen. */
const isChosen = (home: MyHome) =>
  home.favourite || home.hidden || home.compared || home.note !== null;

/** `homes` after `change` of one; nothing where too many would be compared. */
export function changed(
  homes: MyHomes,
  reference: string,
  change: HomeChange,
  now: string,
): MyHomes | undefined {
  const compared = [...homes.values()].filter(
    (home) => home.compared && home.reference !== reference,
  );
  if (change.compared && compared.length >= MAX_COMPARED) return undefined;
  const before = homes.get(reference) ?? homeOf(reference, now);
  const note = change.note?.trim().slice(0, MAX_NOTE_LENGTH);
  const after: MyHome = {
    ...before,
    favourite: change.favourite ?? before.favourite,
    note: note === undefined ? before.note : note || null,
    hidden: change.hidden ?? before.hidden,
    compared: change.compared ?? before.compared,
    seenAt: change.seen ? now : before.seenAt,
    changedAt: now,
  };
  return bounded([after, ...[...homes.values()].filter((home) => home.reference !== reference)]);
}

/** `homes` without when they were seen; nothing is left of those that were only seen. */
export function unseen(homes: MyHomes): MyHomes {
  return bounded([...homes.values()].map((home) => ({ ...home, seenAt: null })));
}

/** `homes` with when each of `seen` was. */
export function seenAgain(
  homes: MyHomes,
  seen: readonly Pick<MyHome, "reference" | "seenAt" | "changedAt">[],
): MyHomes {
  const back = seen.map(({ reference, seenAt, changedAt }): [string, MyHome] => {
    const now = homes.get(reference);
    // It may have been opened meanwhile.
    return [reference, { ...(now ?? homeOf(reference, changedAt)), seenAt: now?.seenAt ?? seenAt }];
  });
  return bounded([...new Map([...homes, ...back]).values()]);
}

/** The homes that a device keeps, the latest first. */
export function bounded(homes: readonly MyHome[]): MyHomes {
  const latest = homes
    .filter((home) => isChosen(home) || home.seenAt !== null)
    .sort((a, b) => b.changedAt.localeCompare(a.changedAt));
  const kept = new Set([
    ...latest.filter(isChosen).slice(0, MAX_CHOSEN),
    ...latest.filter((home) => !isChosen(home)).slice(0, MAX_SEEN),
  ]);
  return new Map(latest.filter((home) => kept.has(home)).map((home) => [home.reference, home]));
}

/** The homes of a JSON text, without whatever is none: others write to a device's storage too. */
export function parsed(text: string | null): MyHomes {
  try {
    const list: unknown = JSON.parse(text ?? "[]");
    return readHomes(Array.isArray(list) ? list : []);
  } catch {
    return new Map();
  }
}

/** Homes as they were kept, or as the account gives them. */
export function readHomes(list: readonly unknown[]): MyHomes {
  return bounded(list.flatMap((each) => readHome(each) ?? []));
}

function readHome(value: unknown): MyHome | undefined {
  const home = (value ?? {}) as Partial<Record<keyof MyHome, unknown>>;
  const { reference, note } = home;
  if (typeof reference !== "string" || !REFERENCE.test(reference)) return undefined;
  return {
    reference,
    favourite: home.favourite === true,
    note: typeof note === "string" && note.trim() ? note.trim().slice(0, MAX_NOTE_LENGTH) : null,
    hidden: home.hidden === true,
    compared: home.compared === true,
    seenAt: moment(home.seenAt) ?? null,
    changedAt: moment(home.changedAt) ?? new Date(0).toISOString(),
  };
}

function moment(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

function homeOf(reference: string, changedAt: string): MyHome {
  return {
    reference,
    favourite: false,
    note: null,
    hidden: false,
    compared: false,
    seenAt: null,
    changedAt,
  };
}

/** `homes` in parts that are sent one by one, each of at most `bytes`. */
export function inParts<Home>(homes: readonly Home[], bytes: number): Home[][] {
  const parts: Home[][] = [];
  let size = 0;
  for (const home of homes) {
    const own = new TextEncoder().encode(JSON.stringify(home)).length + 1;
    const last = parts.at(-1);
    if (last && size + own <= bytes) {
      last.push(home);
      size += own;
    } else {
      parts.push([home]);
      size = own;
    }
  }
  return parts;
}
