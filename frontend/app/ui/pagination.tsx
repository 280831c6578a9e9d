import { useLocation, useNavigationType } from "react-router";
import { useNavigated } from "#app/lib/browser/use-navigated.ts";
import { defineMessages, useMessages } from "#app/lib/i18n/messages.ts";
import type { NavigationState } from "#app/lib/search/navigation-state.ts";
import { Icon } from "./icon.tsx";
import { Link } from "./link.tsx";

const messages = defineMessages({
  en: {
    pages: "Pages",
    page: (page: number) => `Page ${page}`,
    previous: "Previous",
    next: "Next",
  },
  es: {
    pages: "Páginas",
    page: (page) => `Página ${page}`,
    previous: "Anterior",
    next: "Siguiente",
  },
});

/** Returns the page numbers to show: the ends, the neighbours, and 0 for a gap where pages are skipped. */
export function pageNumbers(page: number, last: number): number[] {
  const pages = [1, page - 1, page, page + 1, last].filter((each) => each >= 1 && each <= last);
  const distinct = [...new Set(pages)].sort((a, b) => a - b);
  return distinct.flatMap((each, index) => {
    const before = distinct[index - 1];
    if (before === undefined || each - before === 1) return [each];
    // A gap that hides a single page would be no shorter than that page's number.
    return each - before === 2 ? [each - 1, each] : [0, each];
  });
}

interface PaginationProps {
  page: number;
  /** The number of pages; with one, nothing is rendered. */
  pages: number;
  to: (page: number) => string;
}

/** History state that distinguishes navigation by these links from any other. */
const PAGE_LINK_STATE: NavigationState = { chosen: "page" };

/**
 * Links to the pages of a list, each with its own address. After navigation by one of these links, the focus
 * moves to the first item of the new page, so that keyboard users need not go back up from the links below
 * the list. It stays where it is if the visitor has meanwhile focused something else.
 */
export default function Pagination({ page, pages, to }: PaginationProps) {
  const t = useMessages(messages);
  const state: NavigationState | null = useLocation().state;
  const isPageLink = useNavigationType() === "PUSH" && state?.chosen === "page";
  useNavigated(() => {
    const replaceable = "body, #content, .page-step, .page-number";
    if (!isPageLink || !document.activeElement?.matches(replaceable)) return;
    document.querySelector<HTMLElement>("main article a")?.focus({ preventScroll: true });
  });
  if (pages <= 1) return null;
  return (
    <nav aria-label={t.pages} className="flex flex-wrap items-center justify-center gap-1">
      {page > 1 ? (
        <Link to={to(page - 1)} state={PAGE_LINK_STATE} rel="prev" className="page-step">
          <Icon name="arrow" className="size-4.5 rotate-180" />
          <span className="max-sm:sr-only">{t.previous}</span>
        </Link>
      ) : null}
      <ul className="flex items-center gap-1">
        {pageNumbers(page, pages).map((each, index) =>
          each === 0 ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: a gap is identified only by its position
            <li key={`gap-${index}`} aria-hidden="true" className="px-1.5 text-muted">
              …
            </li>
          ) : (
            <li key={each}>
              <Link
                to={to(each)}
                state={PAGE_LINK_STATE}
                aria-label={t.page(each)}
                aria-current={each === page ? "page" : undefined}
                className="page-number"
              >
                {each}
              </Link>
            </li>
          ),
        )}
      </ul>
      {page < pages ? (
        <Link to={to(page + 1)} state={PAGE_LINK_STATE} rel="next" className="page-step">
          <span className="max-sm:sr-only">{t.next}</span>
          <Icon name="arrow" className="size-4.5" />
        </Link>
      ) : null}
    </nav>
  );
}
