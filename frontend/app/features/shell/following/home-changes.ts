import type { Query, QueryClient } from "@tanstack/react-query";
import type { Answer } from "#app/lib/api/answer.ts";
import type { ListingStatus } from "#app/lib/api/types.ts";

/** What a visitor watches of a home. */
interface Watched {
  price: number | null;
  status: ListingStatus;
}

/** A home whose price or status is no longer what the page showed. */
export interface OfferChange {
  reference: string;
  /** The new price in euros, null for one on request; undefined where it is the same. */
  price?: number | null;
  status?: ListingStatus;
}

/** Changes within this time are told together. */
const TOGETHER_MS = 1_000;

/**
 * Tells what changes of the homes in sight, until the signal aborts: a page's answers that are read
 * again are held against what they were. What is read for the first time is no change.
 *
 * A question whose `meta` says `unseen` shows no prices, and is passed over.
 */
export function watchHomes(
  client: QueryClient,
  tell: (changes: readonly OfferChange[]) => void,
  stop: AbortSignal,
): void {
  const before = new WeakMap<Query, unknown>();
  const pending = new Map<string, { from: Watched; to: Watched }>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const flush = () => {
    timer = undefined;
    const changes = [...pending].flatMap(([reference, { from, to }]) =>
      changeOf(reference, from, to),
    );
    pending.clear();
    if (changes.length > 0) tell(changes);
  };

  const compare = (old: unknown, fresh: unknown) => {
    const now = homesIn(fresh);
    for (const [reference, was] of homesIn(old)) {
      const is = now.get(reference);
      if (!is || changeOf(reference, was, is).length === 0) continue;
      pending.set(reference, { from: pending.get(reference)?.from ?? was, to: is });
      timer ??= setTimeout(flush, TOGETHER_MS);
    }
  };

  const unsubscribe = client.getQueryCache().subscribe((event) => {
    if (event.type !== "updated") return;
    const { query, action } = event;
    if (action.type === "fetch") before.set(query, query.state.data);
    if (action.type !== "success" || action.manual) return;
    if (query.isActive() && !query.meta?.unseen) compare(before.get(query), query.state.data);
    before.delete(query);
  });
  stop.addEventListener("abort", () => {
    unsubscribe();
    clearTimeout(timer);
  });
}

function changeOf(reference: string, from: Watched, to: Watched): OfferChange[] {
  const change: OfferChange = { reference };
  if (from.price !== to.price) change.price = to.price;
  if (from.status !== to.status) change.status = to.status;
  return change.price === undefined && change.status === undefined ? [] : [change];
}

/** The homes of an answer: those of a list, or the one that it is all about. */
function homesIn(answer: unknown): Map<string, Watched> {
  const body = (answer as Answer<unknown> | undefined)?.body;
  const { items } = (body ?? {}) as { items?: unknown };
  const homes = Array.isArray(items) ? items : [body];
  return new Map(
    homes.filter(isHome).map(({ ref, price = null, status }) => [ref, { price, status }]),
  );
}

interface Home {
  ref: string;
  price?: number | null;
  status: ListingStatus;
}

function isHome(value: unknown): value is Home {
  return typeof value === "object" && value !== null && "ref" in value && "status" in value;
}
