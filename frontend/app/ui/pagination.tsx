import { useLocation, useNavigationType } from "react-router";
import { useNavigated } from "#app/lib/browser/use-navigated.ts";
import { defineMessages, useMessages } from "#app/lib/i18n/messages.ts";
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

/** The pages to show: the ends, the neighbours, and a gap (0) where some are left out. */
export function pageNumbers(page: number, last: number): number[] {
  const pages = [1, page - 1, page, page + 1, last].filter((each) => each >= 1 && each <= last);
  const distinct = [...new Set(pages)].sort((a, b) => a - b);
  return distinct.flatMap((each, index) => {
    const before = distinct[index - 1];
    if (before === undefined || each - before === 1) return [each];
    // A gap of one page is no shorter than the page.
    return each - before === 2 ? [each - 1, each] : [0, each];
  });
}

interface PaginationProps {
  page: number;
  /** How many there are; with one there is nothing to choose. */
  pages: number;
  to: (page: number) => string;
}

/** Tells a step that was taken by these links from any other that changes the page. */
const STEP = { chosen: "page" };

/**
 * The pages of a list, each with an address of its own. Whoever goes by keys goes on from the first
 * home of the new page, and not from the links below its last: unless they have gone on to something else by then.
 */
export default function Pagination({ page, pages, to }: PaginationProps) {
  const t = useMessages(messages);
  const state: Partial<typeof STEP> | null = useLocation().state;
  const isChosen = useNavigationType() === "PUSH" && state?.chosen === STEP.chosen;
  useNavigated(() => {
    const followed = "body, #content, .page-step, .page-number";
    if (!isChosen || !document.activeElement?.matches(followed)) return;
    document.querySelector<HTMLElement>("main article a")?.focus({ preventScroll: true });
  });
  if (pages <= 1) return null;
  return (
    <nav aria-label={t.pages} className="flex flex-wrap items-center justify-center gap-1">
      {page > 1 ? (
        <Link to={to(page - 1)} state={STEP} rel="prev" className="page-step">
          <Icon name="arrow" className="size-4.5 rotate-180" />
          <span className="max-sm:sr-only">{t.previous}</span>
        </Link>
      ) : null}
      <ul className="flex items-center gap-1">
        {pageNumbers(page, pages).map((each, index) =>
          each === 0 ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: a gap has nothing but its place
            <li key={`gap-${index}`} aria-hidden="true" className="px-1.5 text-muted">
              …
            </li>
          ) : (
            <li key={each}>
              <Link
                to={to(each)}
                state={STEP}
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
        <Link to={to(page + 1)} state={STEP} rel="next" className="page-step">
          <span className="max-sm:sr-only">{t.next}</span>
          <Icon name="arrow" className="size-4.5" />
        </Link>
      ) : null}
    </nav>
  );
}
