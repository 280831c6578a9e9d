import { useSearchParams } from "react-router";
import { ContactCard } from "#app/features/content/contact-card.tsx";
import { contentMessages } from "#app/features/content/messages.ts";
import { PageHead } from "#app/features/content/page-head.tsx";
import { slugOfPath, usePageSlug } from "#app/features/content/page-slug.ts";
import { pageQuery } from "#app/features/content/queries.ts";
import { Questions } from "#app/features/content/questions.tsx";
import { byMonth } from "#app/features/property/card/by-month.ts";
import { PropertyCard } from "#app/features/property/card/property-card.tsx";
import type { PropertyCard as Card } from "#app/lib/api/types.ts";
import { foreignTag, useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useAnswer } from "#app/lib/query/api-query.ts";
import { publicPage } from "#app/lib/query/page.server.ts";
import { browserPage, notFound, type PageLoad } from "#app/lib/query/page.ts";
import { firstQuery } from "#app/lib/search/queries.ts";
import {
  EVERYTHING,
  pageOf,
  pagesOf,
  type Search,
  searchPath,
} from "#app/lib/search/search-params.ts";
import { CARD_SIZES } from "#app/ui/card-sizes.ts";
import { Icon } from "#app/ui/icon.tsx";
import { Link } from "#app/ui/link.tsx";
import Pagination from "#app/ui/pagination.tsx";
import { Prose } from "#app/ui/prose.tsx";

export { PageError as ErrorBoundary } from "#app/features/error/page-error.tsx";

/** The search behind each page, by slug. */
const SEARCHES: Record<string, Partial<Search>> = {
  "new-properties": { newWithin: 30 },
  "reduced-properties": { reduced: true },
};
const PER_PAGE = 24;

function searchOf(slug: string, params: URLSearchParams): Search {
  return { ...EVERYTHING, ...SEARCHES[slug], page: pageOf(params) };
}

/** Loads the page of the newest homes or of reduced homes: the editors' text and the homes. */
const load: PageLoad = async (read, { locale, url }) => {
  const slug = slugOfPath(url.pathname);
  const search = searchOf(slug, url.searchParams);
  const [, { items }] = await Promise.all([
    read(pageQuery(locale, slug)),
    read(firstQuery(locale, search, PER_PAGE)),
  ]);
  if (search.page > 1 && items.length === 0) throw notFound();
};

export const loader = publicPage(load);
export const clientLoader = browserPage(load);

export default function SelectedHomes() {
  const locale = useLocale();
  const t = useMessages(contentMessages);
  const slug = usePageSlug();
  const page = useAnswer(pageQuery(locale, slug));
  const [query] = useSearchParams();
  const search = searchOf(slug, query);
  const { items, total } = useAnswer(firstQuery(locale, search, PER_PAGE));
  const lang = foreignTag(page.language, locale);
  return (
    <>
      <div className="pb-16">
        <PageHead page={page} part={search.page}>
          <p className="flex flex-wrap items-center gap-x-6">
            {total > 0 ? (
              <span className="text-lg font-semibold tabular-nums">{t.count(total)}</span>
            ) : null}
            <Link to={searchPath({ ...search, page: 1 })} className="text-link icon-link">
              <Icon name="filter" className="size-4.5" />
              {t.withFilters}
            </Link>
          </p>
        </PageHead>
        <div className="page-width mt-12 flex flex-col gap-14">
          {items.length === 0 ? (
            <p className="text-lg">{t.noneNow}</p>
          ) : search.reduced ? (
            <section aria-label={page.title}>
              <Homes items={items} heading="h2" />
            </section>
          ) : (
            byMonth(items, locale).map(({ key, name, items: homes }) => (
              <section key={key} aria-labelledby={`month-${key}`}>
                <h2 id={`month-${key}`} className="text-heading">
                  {name}
                </h2>
                <div className="mt-5">
                  <Homes items={homes} heading="h3" />
                </div>
              </section>
            ))
          )}
          <Pagination
            page={search.page}
            pages={pagesOf(total, PER_PAGE)}
            to={(number) => (number > 1 ? `/${slug}?page=${number}` : `/${slug}`)}
          />
          <div className="mt-2">
            {page.body ? <Prose html={page.body} lang={lang} /> : null}
            <ContactCard />
          </div>
        </div>
      </div>
      <Questions questions={page.faq} lang={lang} />
    </>
  );
}

function Homes({ items, heading }: { items: readonly Card[]; heading: "h2" | "h3" }) {
  return (
    <ul className="grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
      {items.map((property) => (
        <li key={property.ref}>
          <PropertyCard property={property} heading={heading} sizes={CARD_SIZES.three} />
        </li>
      ))}
    </ul>
  );
}
