import { type ReactNode, useEffect, useRef, useState } from "react";
import { useFocusKept } from "#app/lib/browser/use-focus-kept.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import type { MyHome } from "#app/lib/my-homes/my-home.ts";
import { forgetSeen } from "#app/lib/my-homes/store.ts";
import { useMyHomes } from "#app/lib/my-homes/use-my-homes.ts";
import { addToast, UNDO_MS } from "#app/lib/toast/toasts.ts";
import { Button, buttonStyle } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Link } from "#app/ui/link.tsx";
import { PropertyCard } from "../card/property-card.tsx";
import { myHomesMessages } from "./messages.ts";
import { type FoundCards, useCards } from "./use-cards.ts";
import { useChangeHome } from "./use-change-home.ts";

/** How many are shown at a time: whole rows, of two as of three. */
const AT_A_TIME = 48;
const SIZES = "(min-width: 80rem) 24rem, (min-width: 48rem) 45vw, 92vw";

/** The homes of whoever uses this browser that were last seen, or that are hidden. */
export function KeptHomes({ which }: { which: "recent" | "hidden" }) {
  const t = useMessages(myHomesMessages);
  const all = [...useMyHomes().values()];
  const homes =
    which === "recent"
      ? all
          .filter(({ seenAt }) => seenAt !== null)
          .sort((a, b) => (b.seenAt ?? "").localeCompare(a.seenAt ?? ""))
      : all.filter(({ hidden }) => hidden);
  const found = useCards(homes.map(({ reference }) => reference));
  return (
    <div {...useFocusKept(homes.length)}>
      {homes.length > 0 ? (
        <>
          {which === "recent" ? <ClearRecent /> : null}
          <HomeList homes={homes} found={found}>
            {(home) => <Gone reference={home.reference} />}
          </HomeList>
        </>
      ) : which === "recent" ? (
        <Nothing title={t.noRecent} />
      ) : (
        <Nothing title={t.noHidden} lead={t.noHiddenLead} />
      )}
    </div>
  );
}

/** Forgets which homes were seen; for a moment they can be had back. */
function ClearRecent() {
  const t = useMessages(myHomesMessages);
  const failed = () => addToast({ title: t.failed, icon: "alert", color: "clay" });
  const clear = async () => {
    const bringBack = await forgetSeen();
    if (!bringBack) return failed();
    addToast({
      title: t.recentCleared,
      timeout: UNDO_MS,
      icon: "check",
      color: "leaf",
      actions: [
        {
          label: t.bringBack,
          click: () => void bringBack().then((outcome) => outcome === "failed" && failed()),
        },
      ],
    });
  };
  return (
    <p className="mb-6">
      <Button look="outline" onClick={clear}>
        {t.clearRecent}
      </Button>
    </p>
  );
}

interface HomeListProps {
  homes: readonly MyHome[];
  /** How they are ordered: in another order they are shown from the first on. */
  order?: string;
  found: FoundCards;
  /** What stands for a home that is not for sale any more. */
  children(home: MyHome): ReactNode;
  /** What stands under each card. */
  below?(home: MyHome): ReactNode;
}

/** Cards of homes that a visitor keeps, some at a time. */
export function HomeList({ homes, order, found, children: gone, below }: HomeListProps) {
  const t = useMessages(myHomesMessages);
  const [shown, setShown] = useState(AT_A_TIME);
  const [shownIn, setShownIn] = useState(order);
  if (shownIn !== order) {
    setShownIn(order);
    setShown(AT_A_TIME);
  }
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    // Who asked for more by keys goes on with the first of them.
    if (shown > AT_A_TIME) {
      list.current?.children[shown - AT_A_TIME]?.querySelector<HTMLElement>("a, button")?.focus();
    }
  }, [shown]);
  if (found.isFailed) return <AllAway />;
  const further = Math.min(homes.length - shown, AT_A_TIME);
  return (
    <>
      <ul
        ref={list}
        aria-busy={found.isPending}
        className="grid gap-6 md:grid-cols-2 xl:grid-cols-3"
      >
        {homes.slice(0, shown).map((home) => {
          const card = found.cards.get(home.reference);
          if (!card && !found.gone.has(home.reference)) {
            return (
              <li key={home.reference} className="min-h-96 rounded-card bg-sunk">
                <span className="sr-only">{t.loading}</span>
              </li>
            );
          }
          return (
            <li key={home.reference} className="flex flex-col gap-3">
              {card ? <PropertyCard property={card} sizes={SIZES} heading="h2" /> : gone(home)}
              {below?.(home)}
            </li>
          );
        })}
      </ul>
      {further > 0 ? (
        <p className="mt-8 text-center">
          <Button look="outline" onClick={() => setShown(shown + AT_A_TIME)}>
            {t.more(further)}
          </Button>
        </p>
      ) : null}
    </>
  );
}

/** A home that has left the site: its name, and the way to forget it. */
export function Gone({ reference }: { reference: string }) {
  const t = useMessages(myHomesMessages);
  const change = useChangeHome(reference);
  return (
    <article className="card min-h-40 items-start justify-center gap-3 p-6">
      <h2 className="text-lg">{reference}</h2>
      <p className="text-muted">{t.gone}</p>
      <button
        type="button"
        className={buttonStyle.outline}
        aria-label={t.remove(reference)}
        onClick={() => change({ favourite: false, hidden: false, compared: false, note: "" })}
      >
        {t.removeShort}
      </button>
    </article>
  );
}

/** Until an account has said which homes it keeps. */
export function Loading() {
  const t = useMessages(myHomesMessages);
  return <p className="text-muted">{t.loading}</p>;
}

/** That there may be homes here, but nobody can say so. */
export function AllAway() {
  const t = useMessages(myHomesMessages);
  return (
    <p role="alert" className="rounded-xl bg-sun-wash px-4 py-3">
      {t.allAway}
    </p>
  );
}

/** That there is nothing here yet, and what to do. */
export function Nothing({ title, lead }: { title: string; lead?: string }) {
  const t = useMessages(myHomesMessages);
  return (
    <EmptyState title={title}>
      {lead ? <p className="mt-2 max-w-[48ch] text-muted">{lead}</p> : null}
      <Link to="/property-for-sale" className={`${buttonStyle.primary} mt-6`}>
        {t.browse}
      </Link>
    </EmptyState>
  );
}
