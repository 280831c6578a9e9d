/** A visitor's marks and notes on a home. */
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

/** A change to a home; omitted fields stay as they are. */
export interface HomeChange {
  readonly favourite?: boolean;
  readonly note?: string;
  readonly hidden?: boolean;
  readonly compared?: boolean;
  /** Set when its page is open. */
  readonly seen?: true;
}

export type MyHomes = ReadonlyMap<string, MyHome>;

/** The number of homes that can be compared side by side. */
const MAX_COMPARED = 4;
/** In characters. */
export const MAX_NOTE_LENGTH = 2_000;
/**
 * How many homes are stored: those that the visitor has marked, as many as in an account, and others that
 * were only seen.
 */
const MAX_MARKED = 1_000;
const MAX_SEEN = 100;

const REFERENCE = /^\.*[A-Za-z0-9_-][A-Za-z0-9._-]{0,39}$/;

/** Whether the visitor has marked a home, beyond having seen it. */
const isMarked = (home: MyHome) =>
  home.favourite || home.hidden || home.compared || home.note !== null;

/** Returns `homes` with a `change` to one of them; undefined if too many would be compared. */
export function withChange(
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
  return limited([after, ...[...homes.values()].filter((home) => home.reference !== reference)]);
}

/** Returns `homes` without their visits; homes that were only seen are removed. */
export function withoutSeen(homes: MyHomes): MyHomes {
  return limited([...homes.values()].map((home) => ({ ...home, seenAt: null })));
}

/** Returns `homes` with the visits in `seen` restored. */
export function withSeen(
  homes: MyHomes,
  seen: readonly Pick<MyHome, "reference" | "seenAt" | "changedAt">[],
): MyHomes {
  const back = seen.map(({ reference, seenAt, changedAt }): [string, MyHome] => {
    const now = homes.get(reference);
    // It may have been opened in the meantime.
    return [reference, { ...(now ?? homeOf(reference, changedAt)), seenAt: now?.seenAt ?? seenAt }];
  });
  return limited([...new Map([...homes, ...back]).values()]);
}

/** Limits the homes to what a device stores, the most recently changed first. */
export function limited(homes: readonly MyHome[]): MyHomes {
  const latest = homes
    .filter((home) => isMarked(home) || home.seenAt !== null)
    .sort((a, b) => b.changedAt.localeCompare(a.changedAt));
  const retained = new Set([
    ...latest.filter(isMarked).slice(0, MAX_MARKED),
    ...latest.filter((home) => !isMarked(home)).slice(0, MAX_SEEN),
  ]);
  return new Map(latest.filter((home) => retained.has(home)).map((home) => [home.reference, home]));
}

/** Parses stored homes, skipping invalid ones: other code may have written to the device's storage. */
export function parseHomes(text: string | null): MyHomes {
  try {
    const list: unknown = JSON.parse(text ?? "[]");
    return readHomes(Array.isArray(list) ? list : []);
  } catch {
    return new Map();
  }
}

/** Validates homes from storage or from the account. */
export function readHomes(list: readonly unknown[]): MyHomes {
  return limited(list.flatMap((each) => readHome(each) ?? []));
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
    seenAt: isoTimestamp(home.seenAt) ?? null,
    changedAt: isoTimestamp(home.changedAt) ?? new Date(0).toISOString(),
  };
}

function isoTimestamp(value: unknown): string | undefined {
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

/** Splits `homes` into parts of at most `bytes` bytes of JSON each, to be sent one by one. */
export function splitBySize<Home>(homes: readonly Home[], bytes: number): Home[][] {
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
