import { read, write } from "#app/lib/browser/stored.ts";
import { type Offer, offerOf } from "#app/lib/property/offer.ts";
import { STATUSES } from "#app/lib/search/search-params.ts";

/** The price and status of a home when its page was last open on this device. */
interface Look extends Offer {
  readonly at: string;
  /** The price and status at the visit before, as long as the difference counts as new. */
  readonly before?: Offer;
}

type Looks = Readonly<Record<string, Look>>;

const KEY = "last-looks";
/** The same limit as for homes that were only seen. */
const MAX_LOOKS = 100;
/** Within this time it is the same visit, during which the change is still shown. */
const VISIT_MS = 12 * 60 * 60 * 1_000;

const isSame = (one: Offer, other: Offer) =>
  one.price === other.price && one.status === other.status;

/** Returns the new look at a home, given its state now and the last look. */
export function nextLook(last: Look | undefined, now: Offer, at: Date): Look {
  const look = { ...offerOf(now), at: at.toISOString() };
  if (!last) return look;
  if (!isSame(last, now)) return { ...look, before: offerOf(last) };
  const sameVisit = at.getTime() - Date.parse(last.at) < VISIT_MS;
  return sameVisit && last.before ? { ...look, before: last.before } : look;
}

/** Returns the old values of what has changed about a home since the last visit; undefined if nothing has. */
export function changedSince(last: Look | undefined, now: Offer): Partial<Offer> | undefined {
  const then = last && !isSame(last, now) ? last : last?.before;
  if (!then || isSame(then, now)) return undefined;
  const change = {
    ...(then.price !== now.price && then.price !== null && { price: then.price }),
    ...(then.status !== now.status && { status: then.status }),
  };
  return Object.keys(change).length > 0 ? change : undefined;
}

/** Parses stored looks, skipping invalid ones: other code may have written to the device's storage. */
export function parseLooks(text: string | null): Looks {
  try {
    const entries = Object.entries((JSON.parse(text ?? "{}") ?? {}) as Record<string, unknown>);
    return latest(entries.flatMap(([ref, value]) => (isLook(value) ? [[ref, value]] : [])));
  } catch {
    return {};
  }
}

function latest(looks: [string, Look][]): Looks {
  return Object.fromEntries(
    looks.sort(([, a], [, b]) => b.at.localeCompare(a.at)).slice(0, MAX_LOOKS),
  );
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

/** The looks as last parsed: a list of cards reads them again and again. */
let cached: { text: string | null; looks: Looks } = { text: null, looks: {} };

function looks(): Looks {
  const text = read(KEY);
  if (text !== cached.text) cached = { text, looks: parseLooks(text) };
  return cached.looks;
}

export function lastLook(reference: string): Look | undefined {
  return looks()[reference];
}

/** Stores the current price and status of the home whose page is open. */
export function saveLook(reference: string, now: Offer): void {
  const look = nextLook(lastLook(reference), now, new Date());
  save({ ...looks(), [reference]: look });
}

/** Removes all stored looks, and returns a function that restores them. */
export function forgetLooks(): () => void {
  const before = looks();
  write(KEY, null);
  return () => save({ ...before, ...looks() });
}

function save(all: Looks): void {
  write(KEY, JSON.stringify(latest(Object.entries(all))));
}
