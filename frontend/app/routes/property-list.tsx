import { redirect, useLocation, useParams } from "react-router";
import { PropertyCard } from "#app/features/property/property-card.tsx";
import { AppliedFilters, appliedFilters } from "#app/features/search/applied-filters.tsx";
import { FILTERS_PANEL, Filters } from "#app/features/search/filters.tsx";
import { listHeading } from "#app/features/search/list-heading.ts";
import { searchMessages } from "#app/features/search/messages.ts";
import { NoResults } from "#app/features/search/no-results.tsx";
import { Pagination } from "#app/features/search/pagination.tsx";
import { PlaceText } from "#app/features/search/place-text.tsx";
import { placesQuery, searchQuery } from "#app/features/search/queries.ts";
import {
  EVERYTHING,
  isNarrowed,
  isSlug,
  parseSearch,
  searchPath,
  tidierPath,
  usualSort,
} from "#app/features/search/search-params.ts";
import { SortSelect } from "#app/features/search/sort-select.tsx";
import { localizedPath, neutralPath, useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useAnswer } from "#app/lib/query/api-query.ts";
import { serverPage } from "#app/lib/query/page.server.ts";
import { browserPage, notFound, type PageLoad } from "#app/lib/query/page.ts";
import { Seeded } from "#app/lib/query/seed.tsx";
import { Seo, useOrigin } from "#app/lib/seo/seo.tsx";
import { breadcrumbList, graph } from "#app/lib/seo/structured-data.ts";
import { useSite } from "#app/lib/site/site-query.ts";
import { buttonStyle } from "#app/ui/button.ts";
import { Icon } from "#app/ui/icon.tsx";
import type { Route } from "./+types/property-list.ts";

export { PageError as ErrorBoundary } from "#app/features/error/page-error.tsx";

const load: PageLoad = async (read, { locale, params, url }) => {
  if (params.location !== undefined && !isSlug(params.location)) throw notFound();
  const search = parseSearch(url.searchParams, params.location);
  const tidier = tidierPath(url, neutralPath(url.pathname), search);
  if (tidier) throw redirect(localizedPath(locale, tidier), 301);
  const [places, list] = await Promise.all([
    read(placesQuery(locale)),
    read(searchQuery(locale, search)),
  ]);
  const known =
    params.location === undefined || places.items.some(({ slug }) => slug === params.location);
  const beyondTheEnd = search.page > 1 && list.items.length === 0;
  if (!known || beyondTheEnd) throw notFound();
};

export const loader = serverPage(load);
export const clientLoader = browserPage(load);

export default function PropertyList({ loaderData }: Route.ComponentProps) {
  return (
    <Seeded seed={loaderData.seed}>
      <Page />
    </Seeded>
  );
}

function Page() {
  const locale = useLocale();
  const t = useMessages(searchMessages);
  const { settings } = useSite();
  const origin = useOrigin();
  const params = useParams();
  const search = parseSearch(new URLSearchParams(useLocation().search), params.location);
  const { items, total, perPage, facets } = useAnswer(searchQuery(locale, search));
  const places = useAnswer(placesQuery(locale)).items;
  const place = places.find(({ slug }) => slug === params.location);
  const heading = listHeading(search, locale, place?.name);
  const placeName = (slug: string) => places.find((each) => each.slug === slug)?.name ?? slug;
  const applied = appliedFilters(search, locale, placeName);
  // A filtered or sorted list is a view of the whole one; a further page is a page of its own.
  const canonical = isNarrowed(search)
    ? searchPath({
        ...parseSearch(new URLSearchParams(), params.location),
        location: search.location,
      })
    : searchPath({ ...search, sort: usualSort(search.q) });
  const lead = place?.intro ?? t.lead;
  const crumbs = [
    { label: settings.companyName, to: "/" },
    { label: listHeading(EVERYTHING, locale, undefined), to: "/property-for-sale" },
    ...(place ? [{ label: place.name, to: `/property-for-sale/${place.slug}` }] : []),
  ];
  return (
    <>
      <Seo
        title={search.page > 1 ? `${heading} (${t.page(search.page)})` : heading}
        suffix={settings.titleSuffix}
        description={search.page > 1 ? `${t.page(search.page)}. ${lead}` : lead}
        path={canonical}
        picture={place?.image ?? items[0]?.images[0]}
        structuredData={graph(breadcrumbList(crumbs, { origin, locale }))}
      />
      <div className="list-width pt-10 pb-20">
        <h1 className="max-w-[26ch] text-title">{heading}</h1>
        <p className="mt-3 max-w-[65ch] text-lg text-muted">{lead}</p>
        <div className="mt-8 gap-10 lg:grid lg:grid-cols-[17rem_minmax(0,1fr)]">
          <Filters search={search} facets={facets} />
          <div>
            <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-b border-line pb-4 lg:border-0">
              <p aria-live="polite" className="text-lg font-semibold tabular-nums">
                {t.count(total)}
              </p>
              <div className="flex flex-wrap items-center gap-2">
                <button
                  type="button"
                  popoverTarget={FILTERS_PANEL}
                  className={`${buttonStyle.outline} lg:hidden`}
                >
                  <Icon name="filter" />
                  {t.filters}
                  {applied.length > 0 ? (
                    <span className="rounded-full bg-sun px-2 py-1 text-xs text-on-sun">
                      <span aria-hidden="true">{applied.length}</span>
                      <span className="sr-only">{t.filterCount(applied.length)}</span>
                    </span>
                  ) : null}
                </button>
                <SortSelect search={search} />
              </div>
            </div>
            <div className="py-4 empty:pb-1">
              <AppliedFilters filters={applied} sort={search.sort} />
            </div>
            {items.length === 0 ? (
              <NoResults />
            ) : (
              <ul className="grid gap-5 sm:grid-cols-2 xl:grid-cols-3">
                {items.map((property, index) => (
                  <li key={property.ref}>
                    <PropertyCard
                      property={property}
                      heading="h2"
                      eager={index === 0}
                      sizes="(min-width: 100rem) 24rem, (min-width: 80rem) 25vw, (min-width: 64rem) 33vw, (min-width: 40rem) 45vw, 90vw"
                    />
                  </li>
                ))}
              </ul>
            )}
            <div className="mt-12">
              <Pagination search={search} total={total} perPage={perPage} />
            </div>
            {place && search.page === 1 && !isNarrowed(search) ? <PlaceText place={place} /> : null}
          </div>
        </div>
      </div>
    </>
  );
}
