import { useQueryClient } from "@tanstack/react-query";
import type { MouseEvent } from "react";
import { useLocation, useNavigate } from "react-router";
import type { PropertyCard } from "#app/lib/api/types.ts";
import { isPlainClick } from "#app/lib/browser/is-plain-click.ts";
import { formatNumber } from "#app/lib/format/format.ts";
import { localizedPath, useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { prefetchProperty, propertyPath } from "#app/lib/property/queries.ts";
import type { FoundIn, NavigationState } from "#app/lib/search/navigation-state.ts";
import { Icon } from "#app/ui/icon.tsx";
import { Link } from "#app/ui/link.tsx";
import { inSearchMessages } from "./in-search-messages.ts";
import { useNeighbours } from "./neighbours.ts";

const ROUND_BUTTON =
  "inline-flex size-11 items-center justify-center rounded-full border narrow:size-9 border-line-strong transition-colors hover:border-ink hover:bg-sunk aria-disabled:cursor-default aria-disabled:border-line aria-disabled:bg-transparent aria-disabled:text-muted";

interface InSearchProps {
  /** The reference of the current home. */
  reference: string;
  foundIn: FoundIn;
}

/** Links back to the list, and to the previous and next homes in it. */
export default function InSearch({ reference, foundIn }: InSearchProps) {
  const locale = useLocale();
  const t = useMessages(inSearchMessages);
  const { position, total, previous, next } = useNeighbours(reference, foundIn);
  const state: NavigationState | null = useLocation().state;
  const steps = state?.isCarried ? 0 : (foundIn.steps ?? 1);
  const at = (place: number) => ({ ...foundIn, position: place, steps: steps && steps + 1 });
  const number = (value: number) => formatNumber(locale, value);
  return (
    <nav aria-label={t.inSearch} className="flex shrink-0 items-center gap-1 sm:gap-2">
      <BackToList list={foundIn.list} steps={steps} />
      <Step label={t.previous} home={previous} foundIn={at(position - 1)} back />
      <p className="min-w-14 text-center text-sm whitespace-nowrap tabular-nums">
        {total === undefined ? null : t.place(number(position), number(total))}
      </p>
      <Step label={t.next} home={next} foundIn={at(position + 1)} />
    </nav>
  );
}

/** Links to the list. If it is `steps` back in the history, goes there, which restores the scroll position. */
function BackToList({ list, steps }: { list: string; steps: number }) {
  const t = useMessages(inSearchMessages);
  const navigate = useNavigate();
  const onClick = (event: MouseEvent) => {
    if (!isPlainClick(event) || steps === 0) return;
    event.preventDefault();
    navigate(-steps);
  };
  return (
    <Link
      to={list}
      onClick={onClick}
      className="inline-flex min-h-11 items-center gap-2 rounded-full pr-3 text-sm font-medium hover:underline max-sm:w-11 max-sm:justify-center max-sm:pr-0 narrow:w-9"
    >
      <Icon name="arrow" className="size-4.5 rotate-180" />
      <span className="max-sm:sr-only">{t.back}</span>
    </Link>
  );
}

interface StepProps {
  label: string;
  /** The link target; undefined at the ends of the search and while the query is pending. */
  home: PropertyCard | undefined;
  foundIn: FoundIn;
  back?: boolean;
}

/**
 * A link to a neighbouring home; without one it leads nowhere. It is the same element for every target, so that
 * it keeps the focus.
 */
function Step({ label, home, foundIn, back = false }: StepProps) {
  const locale = useLocale();
  const client = useQueryClient();
  const navigate = useNavigate();
  const address = home && localizedPath(locale, propertyPath(home));
  const prefetch = () => {
    if (home) prefetchProperty(client, locale, home.ref);
  };
  return (
    <a
      href={address}
      role={address ? undefined : "link"}
      rel={back ? "prev" : "next"}
      aria-label={home ? `${label}: ${home.title}` : label}
      aria-disabled={home ? undefined : true}
      tabIndex={home ? 0 : -1}
      onPointerEnter={prefetch}
      onFocus={prefetch}
      onClick={(event) => {
        if (!address || !isPlainClick(event)) return;
        event.preventDefault();
        void navigate(address, { state: { foundIn } satisfies NavigationState });
      }}
      className={ROUND_BUTTON}
    >
      <Icon name="chevron" className={`size-5 ${back ? "rotate-90" : "-rotate-90"}`} />
    </a>
  );
}
