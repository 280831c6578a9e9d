import { type ReactNode, useEffect, useRef, useState } from "react";
import { useFocusKept } from "#app/lib/browser/use-focus-kept.ts";
import { useHeir } from "#app/lib/browser/use-heir.ts";
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
import { type FoundCards, once, useCards } from "./use-cards.ts";
import { useChangeHome } from "./use-change-home.ts";

/** How many are shown at a time: whole rows, of two as of three. */
const AT_A_TIME = 48;
const SIZES = "(min-width: 80rem) 24rem, (min-width: 48rem) 45vw, 92vw";

/** The homes of whoever uses this browser that were last seen, or that are hidden. */
export function KeptHomes({ which }: { which: "recent" | "hidden" }) {
  const all = [...useMyHomes().values()];
  const kept =
    which === "recent"
      ? all
          .filter(({ seenAt }) => seenAt !== null)
          .sort((a, b) => (b.seenAt ?? "").localeCompare(a.seenAt ?? ""))
      : all.filter(({ hidden }) => hidden);
  const found = useCards(kept.map(({ reference }) => reference));
  const homes = once(kept, found.moved);
  const List = which === "recent" ? RecentHomes : HiddenHomes;
  return (
    <div {...useFocusKept(homes.length)}>
      <List homes={homes} found={found} />
    </div>
  );
}

type ListProps = Pick<HomeListProps, "homes" | "found">;

function HiddenHomes(list: ListProps) {
  const t = useMessages(myHomesMessages);
  return list.homes.length > 0 ? (
    <HomeList {...list} />
  ) : (
    <Nothing title={t.noHidden} lead={t.noHiddenLead} />
  );
}

/** With a way to forget which homes were seen; until the page is left they can be had back. */
function RecentHomes(list: ListProps) {
  const t = useMessages(myHomesMessages);
  const heir = useHeir();
  const [cleared, setCleared] = useState<ReturnType<typeof forgetSeen>>();
  const failed = () => addToast({ title: t.failed, icon: "alert", color: "clay" });
  const clear = async () => {
    const forgotten = forgetSeen();
    setCleared(forgotten);
    if (await forgotten) addToast({ title: t.recentCleared, icon: "check", color: "leaf" });
    else failed();
  };
  const bringBack = async () => {
    const remember = await cleared;
    if ((await remember?.()) === "failed") failed();
  };
  return list.homes.length > 0 ? (
    <>
      <p className="mb-6">
        <Button ref={heir} look="outline" onClick={clear}>
          {t.clearRecent}
        </Button>
      </p>
      <HomeList {...list} />
    </>
  ) : (
    <Nothing title={t.noRecent}>
      {cleared ? (
        <Button ref={heir} look="outline" onClick={bringBack} className="mt-6">
          {t.bringBack}
        </Button>
      ) : null}
    </Nothing>
  );
}

interface HomeListProps {
  homes: readonly MyHome[];
  found: FoundCards;
  /** What stands under each card. */
  below?(home: MyHome): ReactNode;
}

/** Cards of homes that a visitor keeps, some at a time. */
export function HomeList({ homes, found, below }: HomeListProps) {
  const t = useMessages(myHomesMessages);
  const [limit, setLimit] = useState(AT_A_TIME);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    // Who asked for more by keys goes on with the first of them.
    if (limit > AT_A_TIME) {
      list.current?.children[limit - AT_A_TIME]?.querySelector<HTMLElement>("a, button")?.focus();
    }
  }, [limit]);
  if (found.isFailed) return <AllAway />;
  const further = Math.min(homes.length - limit, AT_A_TIME);
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
      {further > 0 ? (
        <p className="mt-8 text-center">
          <Button look="outline" onClick={() => setLimit(limit + AT_A_TIME)}>
            {t.showNext(further)}
          </Button>
        </p>
      ) : null}
    </>
  );
}

/** A home that has left the site: its name, and the way to forget it. */
function GoneHome({ reference }: { reference: string }) {
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
  return <AlertNotice>{t.allAway}</AlertNotice>;
}

interface NothingProps {
  title: string;
  lead?: string;
  children?: ReactNode;
}

/** That there is nothing here yet, and what to do. */
export function Nothing({ title, lead, children }: NothingProps) {
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
