import { read, write } from "#app/lib/browser/stored.ts";
import { type Offer, offerOf } from "#app/lib/property/offer.ts";
import { STATUSES } from "#app/lib/search/search-params.ts";

/** How a home stood when its page was last open on this device. */
export interface Look extends Offer {
  readonly at: string;
  /** How it stood the time before, while that is still news. */
  readonly before?: Offer;
}

type Looks = Readonly<Record<string, Look>>;

const KEY = "last-looks";
/** As many as the homes that are only seen. */
const MOST = 100;
/** Within this time it is the same visit, which goes on saying what has changed. */
const VISIT_MS = 12 * 60 * 60 * 1_000;

const isSame = (one: Offer, other: Offer) =>
  one.price === other.price && one.status === other.status;

/** The look at a home that stands so now, after an earlier one. */
export function lookedAt(last: Look | undefined, now: Offer, at: Date): Look {
  const look = { ...offerOf(now), at: at.toISOString() };
  if (!last) return look;
  if (!isSame(last, now)) return { ...look, before: offerOf(last) };
  const sameVisit = at.getTime() - Date.parse(last.at) < VISIT_MS;
  return sameVisit && last.before ? { ...look, before: last.before } : look;
}

/** What is different about a home since it was last looked at: what it was then. */
export function changedSince(last: Look | undefined, now: Offer): Partial<Offer> | undefined {
  const then = last && !isSame(last, now) ? last : last?.before;
  if (!then || isSame(then, now)) return undefined;
  const change = {
    ...(then.price !== now.price && then.price !== null && { price: then.price }),
    ...(then.status !== now.status && { status: then.status }),
  };
  return Object.keys(change).length > 0 ? change : undefined;
}

/** The looks of a JSON text, without whatever is none: others write to a device's storage too. */
export function parsedLooks(text: string | null): Looks {
  try {
    const entries = Object.entries((JSON.parse(text ?? "{}") ?? {}) as Record<string, unknown>);
    return latest(entries.flatMap(([ref, value]) => (isLook(value) ? [[ref, value]] : [])));
  } catch {
    return {};
  }
}

function latest(looks: [string, Look][]): Looks {
  return Object.fromEntries(looks.sort(([, a], [, b]) => b.at.localeCompare(a.at)).slice(0, MOST));
}

function isOffer(value: unknown): value is Offer {
  const { price, status } = (value ?? {}) as Partial<Record<keyof Offer, unknown>>;
  const isPrice = price === null || (typeof price === "number" && Number.isFinite(price));
  return isPrice && (STATUSES as readonly unknown[]).includes(status);
}

function isLook(value: unknown): value is Look {
  const { at, before } = (value ?? {}) as Partial<Record<keyof Look, unknown>>;
  const isMoment = typeof at === "string" && !Number.isNaN(Date.parse(at));
  return isOffer(value) && isMoment && (before === undefined || isOffer(before));
}

/** As they were last read: a list of cards asks for them again and again. */
let known: { text: string | null; looks: Looks } = { text: null, looks: {} };

function looks(): Looks {
  const text = read(KEY);
  if (text !== known.text) known = { text, looks: parsedLooks(text) };
  return known.looks;
}

export function lastLook(reference: string): Look | undefined {
  return looks()[reference];
}

/** Keeps on this device how a home stands whose page is open. */
export function keepLook(reference: string, now: Offer): void {
  const look = lookedAt(lastLook(reference), now, new Date());
  keep({ ...looks(), [reference]: look });
}

/** Forgets how homes stood, and gives what remembers it again. */
export function forgetLooks(): () => void {
  const before = looks();
  write(KEY, null);
  return () => keep({ ...before, ...looks() });
}

function keep(all: Looks): void {
  write(KEY, JSON.stringify(latest(Object.entries(all))));
}
