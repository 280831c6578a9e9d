import type { Query, QueryClient } from "@tanstack/react-query";
import type { Answer } from "#app/lib/api/answer.ts";
import type { ListingStatus } from "#app/lib/api/types.ts";

/** The values of a home whose changes are announced. */
interface Watched {
  price: number | null;
  status: ListingStatus;
}

/** A change of a home's price or status since the page showed it. */
export interface OfferChange {
  reference: string;
  /** The new price in euros, null for a price on request, undefined if it is unchanged. */
  price?: number | null;
  status?: ListingStatus;
}

/** Changes within this time are reported together. */
const BATCH_MS = 1_000;

/**
 * Reports changes of the homes that the page shows, until the signal aborts. It compares each answer that
 * is fetched again with the previous one. A first answer is no change.
 *
 * A query with `unseen` in its `meta` shows no prices and is ignored.
 */
export function watchHomes(
  client: QueryClient,
  report: (changes: readonly OfferChange[]) => void,
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
    if (changes.length > 0) report(changes);
  };

  const compare = (old: unknown, fresh: unknown) => {
    const now = homesIn(fresh);
    for (const [reference, previous] of homesIn(old)) {
      const current = now.get(reference);
      if (!current || changeOf(reference, previous, current).length === 0) continue;
      const from = pending.get(reference)?.from ?? previous;
      pending.set(reference, { from, to: current });
      timer ??= setTimeout(flush, BATCH_MS);
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

/** Returns the homes of an answer: those of a list, or the single home that it describes. */
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
