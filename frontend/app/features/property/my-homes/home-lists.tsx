import { type ReactNode, useEffect, useRef, useState } from "react";
import { useFocusHandover } from "#app/lib/browser/use-focus-handover.ts";
import { useFocusKept } from "#app/lib/browser/use-focus-kept.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import type { MyHome } from "#app/lib/my-homes/my-home.ts";
import { forgetSeen } from "#app/lib/my-homes/store.ts";
import { useMyHomes } from "#app/lib/my-homes/use-my-homes.ts";
import { addToast } from "#app/lib/toast/toasts.ts";
import { AlertNotice } from "#app/ui/alert-notice.tsx";
import { Button, buttonStyle } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Link } from "#app/ui/link.tsx";
import { PropertyCard } from "../card/property-card.tsx";
import { myHomesMessages } from "./messages.ts";
import { type FoundCards, useCards, withoutDuplicates } from "./use-cards.ts";
import { useChangeHome } from "./use-change-home.ts";

/** How many are shown at a time: complete rows of two or of three. */
const PAGE_SIZE = 48;
const SIZES = "(min-width: 80rem) 24rem, (min-width: 48rem) 45vw, 92vw";

/** Returns these homes of the visitor with their cards, each home once. */
function useHomes(selected: readonly MyHome[]): Pick<HomeListProps, "homes" | "found"> {
  const found = useCards(selected.map(({ reference }) => reference));
  return { homes: withoutDuplicates(selected, found.moved), found };
}

/** The homes that the visitor has hidden. */
export function HiddenHomes() {
  const t = useMessages(myHomesMessages);
  const list = useHomes([...useMyHomes().values()].filter(({ hidden }) => hidden));
  return (
    <div {...useFocusKept(list.homes.length)}>
      {list.homes.length > 0 ? (
        <HomeList {...list} />
      ) : (
        <EmptyList title={t.noHidden} lead={t.noHiddenLead} />
      )}
    </div>
  );
}

/** The recently viewed homes, with a button to clear the list. Until the page is left it can be restored. */
export function RecentHomes() {
  const t = useMessages(myHomesMessages);
  const list = useHomes(
    [...useMyHomes().values()]
      .filter(({ seenAt }) => seenAt !== null)
      .sort((a, b) => (b.seenAt ?? "").localeCompare(a.seenAt ?? "")),
  );
  const heir = useFocusHandover();
  const [cleared, setCleared] = useState<ReturnType<typeof forgetSeen>>();
  const showFailure = () => addToast({ title: t.failed, icon: "alert", color: "clay" });
  const clear = async () => {
    const forgotten = forgetSeen();
    setCleared(forgotten);
    if (await forgotten) addToast({ title: t.recentCleared, icon: "check", color: "leaf" });
    else showFailure();
  };
  const restore = async () => {
    const undo = await cleared;
    if ((await undo?.()) === "failed") showFailure();
  };
  return (
    <div {...useFocusKept(list.homes.length)}>
      {list.homes.length > 0 ? (
        <>
          <p className="mb-6">
            <Button ref={heir} look="outline" onClick={clear}>
              {t.clearRecent}
            </Button>
          </p>
          <HomeList {...list} />
        </>
      ) : (
        <EmptyList title={t.noRecent}>
          {cleared ? (
            <Button ref={heir} look="outline" onClick={restore} className="mt-6">
              {t.bringBack}
            </Button>
          ) : null}
        </EmptyList>
      )}
    </div>
  );
}

interface HomeListProps {
  homes: readonly MyHome[];
  found: FoundCards;
  /** Renders what is below each card. */
  below?(home: MyHome): ReactNode;
}

/** The cards of a visitor's homes, a page at a time. */
export function HomeList({ homes, found, below }: HomeListProps) {
  const t = useMessages(myHomesMessages);
  const [limit, setLimit] = useState(PAGE_SIZE);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    // After "show more", keyboard users continue at the first new card.
    if (limit > PAGE_SIZE) {
      list.current?.children[limit - PAGE_SIZE]?.querySelector<HTMLElement>("a, button")?.focus();
    }
  }, [limit]);
  if (found.isFailed) return <HomesUnavailable />;
  const nextCount = Math.min(homes.length - limit, PAGE_SIZE);
  return (
    <>
      <ul
        ref={list}
        aria-busy={found.isPending}
        className="grid gap-6 md:grid-cols-2 xl:grid-cols-3"
      >
        {homes.slice(0, limit).map((home) => {
          const { reference } = home;
          const card = found.cards.get(reference);
          if (!card && !found.gone.has(reference)) {
            return (
              <li key={reference} className="min-h-96 rounded-card bg-sunk">
                <span className="sr-only">{t.loading}</span>
              </li>
            );
          }
          return (
            <li key={reference} className="flex flex-col gap-3">
              {card ? (
                <PropertyCard property={card} sizes={SIZES} heading="h2" />
              ) : (
                <GoneHome reference={reference} />
              )}
              {below?.(home)}
            </li>
          );
        })}
      </ul>
      {nextCount > 0 ? (
        <p className="mt-8 text-center">
          <Button look="outline" onClick={() => setLimit(limit + PAGE_SIZE)}>
            {t.showNext(nextCount)}
          </Button>
        </p>
      ) : null}
    </>
  );
}

/** A home that has left the site: its reference, and a button to remove it. */
function GoneHome({ reference }: { reference: string }) {
  const t = useMessages(myHomesMessages);
  const change = useChangeHome(reference);
  return (
    <article className="card min-h-40 items-start justify-center gap-3 p-6">
      <h2 className="text-lg">{reference}</h2>
      <p className="text-muted">{t.gone}</p>
      <Button
        look="outline"
        aria-label={t.remove(reference)}
        onClick={() => change({ favourite: false, hidden: false, compared: false, note: "" })}
      >
        {t.removeShort}
      </Button>
    </article>
  );
}

/** Shown until the account's homes are loaded. */
export function HomesLoading() {
  const t = useMessages(myHomesMessages);
  return <p className="text-muted">{t.loading}</p>;
}

/** Shown when the homes could not be loaded. */
export function HomesUnavailable() {
  const t = useMessages(myHomesMessages);
  return <AlertNotice>{t.allAway}</AlertNotice>;
}

interface EmptyListProps {
  title: string;
  lead?: string;
  children?: ReactNode;
}

/** Shown in place of an empty list, with what to do. */
export function EmptyList({ title, lead, children }: EmptyListProps) {
  const t = useMessages(myHomesMessages);
  return (
    <EmptyState title={title}>
      {lead ? <p className="mt-2 max-w-[48ch] text-muted">{lead}</p> : null}
      {children}
      <Link to="/property-for-sale" className={`${buttonStyle.primary} mt-6`}>
        {t.browse}
      </Link>
    </EmptyState>
  );
}
