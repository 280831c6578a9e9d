import { useQuery } from "@tanstack/react-query";
import { redirect, useLocation, useParams } from "react-router";
import { pageQuery } from "#app/features/content/queries.ts";
import { drawnMapQuery } from "#app/features/map/map-query.ts";
import { PropertyCard } from "#app/features/property/card/property-card.tsx";
import { HomeTools } from "#app/features/property/my-homes/home-tools.tsx";
import { AppliedFilters, appliedFilters } from "#app/features/search/applied-filters.tsx";
import { FILTERS_PANEL } from "#app/features/search/filter-ids.ts";
import { isSoldOnly, listHeading, listIntro } from "#app/features/search/list-heading.ts";
import { MapNeedsScript } from "#app/features/search/map-needs-script.tsx";
import { MapPane } from "#app/features/search/map-pane.tsx";
import { countNonHomes, findsOnlyHomes, searchMessages } from "#app/features/search/messages.ts";
import { NonHomesNote } from "#app/features/search/non-homes-note.tsx";
import {
  canonicalPath,
  describedPlace,
  introducedPlace,
  isPlacePage,
  isUnfiltered,
} from "#app/features/search/place-pages.ts";
import { exactMatch } from "#app/features/search/reference.ts";
import { SortSelect } from "#app/features/search/sort-select.tsx";
import { withUnderstoodFilters } from "#app/features/search/understood.ts";
import { useWaitingCards } from "#app/features/search/use-waiting-cards.ts";
import { ViewChoice } from "#app/features/search/view-choice.tsx";
import { saveSearchPath } from "#app/lib/account/saved-searches.ts";
import type { PropertyCard as Card } from "#app/lib/api/types.ts";
import { Boundary } from "#app/lib/browser/boundary.tsx";
import {
  foreignTag,
  type Locale,
  localizedPath,
  neutralPath,
  useLocale,
} from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { propertyPath } from "#app/lib/property/queries.ts";
import { useAnswer } from "#app/lib/query/api-query.ts";
import { publicPage } from "#app/lib/query/page.server.ts";
import { browserPage, notFound, type PageLoad, readIfWritten } from "#app/lib/query/page.ts";
import { lazy } from "#app/lib/release/lazy.ts";
import { isSlug, LIST_PATH, placePath } from "#app/lib/search/list-path.ts";
import { placeTextQuery, searchQuery } from "#app/lib/search/queries.ts";
import {
  apiSearch,
  canonicalRedirect,
  EVERYTHING,
  pagesOf,
  parseSearch,
  type Search,
  searchPath,
} from "#app/lib/search/search-params.ts";
import { Seo, useOrigin } from "#app/lib/seo/seo.tsx";
import { breadcrumbList, graph } from "#app/lib/seo/structured-data.ts";
import { placeLabel } from "#app/lib/site/place-label.ts";
import { placeNameIn, placesAround } from "#app/lib/site/places.ts";
import { siteQuery, useSite } from "#app/lib/site/site-query.ts";
import { buttonStyle } from "#app/ui/button.tsx";
import { CARD_BELOW, CARD_SIZES } from "#app/ui/card-sizes.ts";
import { Icon } from "#app/ui/icon.tsx";
import { Link } from "#app/ui/link.tsx";
import { Prose } from "#app/ui/prose.tsx";

export { PageError as ErrorBoundary } from "#app/features/error/page-error.tsx";

const SearchMap = lazy(() => import("#app/features/map/search-map.tsx"));

/** The form works without JavaScript and hydrates a moment after the page. */
const Filters = lazy(() => import("#app/features/search/filters.tsx"));

/** Lazy: most lists are not about a single place. */
const AboutPlace = lazy(() => import("#app/features/search/about-place.tsx"));

/** Lazy: its links work without JavaScript. */
const Pagination = lazy(() => import("#app/ui/pagination.tsx"));

/** Lazy: most searches find something. */
const NoResults = lazy(() => import("#app/features/search/no-results.tsx"));

/** Queries the editors' text for the list of all homes. */
const listPageQuery = (locale: Locale) => pageQuery(locale, "property-for-sale");

const load: PageLoad = async (read, { locale, params, url }) => {
  if (params.location !== undefined && !isSlug(params.location)) throw notFound();
  const search = parseSearch(url.searchParams, params.location);
  const tidier = canonicalRedirect(url, neutralPath(url.pathname), search);
  if (tidier) throw redirect(localizedPath(locale, tidier), 301);
  const introduced = introducedPlace(search);
  const [{ locations }, list] = await Promise.all([
    read(siteQuery(locale)),
    read(searchQuery(locale, search)),
    introduced === undefined ? undefined : read(placeTextQuery(locale, introduced)),
    isUnfiltered(search) ? readIfWritten(read, listPageQuery(locale)) : undefined,
  ]);
  const placeExists =
    params.location === undefined || locations.some(({ slug }) => slug === params.location);
  const named = exactMatch(search, list);
  if (named) throw redirect(localizedPath(locale, propertyPath(named)));
  const beyondTheEnd = search.page > 1 && list.items.length === 0;
  if (!placeExists || beyondTheEnd) throw notFound();
};

/** Loads the page for server rendering, with the map's data. In the browser the map loads it once it knows its size. */
const loadDocument: PageLoad = async (read, address) => {
  await load(read, address);
  const search = parseSearch(address.url.searchParams, address.params.location);
  if (search.view === "map") await read(drawnMapQuery(address.locale, search));
};

export const loader = publicPage(loadDocument);
export const clientLoader = browserPage(async (read, address) => {
  // On a client-side navigation the filters appear with the list, so nothing shifts the layout later.
  await Promise.all([load(read, address), Filters.preload()]);
});

export default function PropertyList() {
  const locale = useLocale();
  const t = useMessages(searchMessages);
  const { settings, locations: places } = useSite();
  const origin = useOrigin();
  const params = useParams();
  const asked = parseSearch(new URLSearchParams(useLocation().search), params.location);
  const list = useAnswer(searchQuery(locale, asked));
  const search = withUnderstoodFilters(asked, list);
  const { items, total, facets } = list;
  // Undefined if the search names several places.
  const place = places.find(({ slug }) => slug === search.location.join());
  const heading = listHeading(search, locale, place?.name);
  const homes = findsOnlyHomes(search, facets);
  // Sorted by relevance, homes and other properties are mixed, so there is no second part.
  const others = search.sort === "relevance" ? 0 : countNonHomes(search, facets);
  const applied = appliedFilters(search, locale, placeNameIn(places));
  const described = describedPlace(asked);
  const introduced = introducedPlace(asked);
  const { data: placeText } = useQuery({
    ...placeTextQuery(locale, introduced ?? ""),
    enabled: introduced !== undefined,
  });
  const ofAll = isUnfiltered(asked);
  const { data: written } = useQuery({ ...listPageQuery(locale), enabled: ofAll });
  const listPage = ofAll ? written?.body : undefined;
  const ofSold = isSoldOnly(search);
  const intro = listIntro(search, locale, place && placeText?.body, listPage);
  const opening = isPlacePage(asked) ? `${t.leadOf(heading, t.count(total, homes))} ` : "";
  const lead = opening + intro.text;
  const onMap = asked.view === "map";
  const isAboutPlace =
    described !== undefined || (isPlacePage(asked) && asked.page === 1 && !onMap);
  const crumbs = [
    { label: settings.companyName, to: "/" },
    { label: listHeading(EVERYTHING, locale, undefined), to: LIST_PATH },
    ...(place ? [...placesAround(places, place.slug), place] : []).map(({ slug, name }) => ({
      label: placeLabel(name),
      to: placePath(slug),
    })),
  ];
  return (
    <>
      <Seo
        title={asked.page > 1 ? `${heading} (${t.page(asked.page)})` : heading}
        suffix={settings.titleSuffix}
        description={asked.page > 1 ? `${t.page(asked.page)}. ${lead}` : lead}
        path={canonicalPath(asked, total)}
        picture={items[0]?.images[0]}
        structuredData={graph(breadcrumbList(crumbs, { origin, locale }))}
      />
      <div className={`list-width pb-20 ${onMap ? "pt-6" : "pt-10"}`}>
        <Boundary>
          {/* A smaller heading above the map, so that the map is visible without scrolling. */}
          <h1 className={onMap ? "text-heading" : "max-w-[26ch] text-title"}>{heading}</h1>
          {onMap ? null : (
            // Keyed by its text: a browser translation may have replaced the text node, so React could not update it.
            <p key={opening} className="mt-3 max-w-[65ch] text-lg text-muted">
              {opening}
              <span lang={intro.lang}>{intro.text}</span>
            </p>
          )}
        </Boundary>
        <div className={`lg:grid ${onMap ? `mt-4 ${BESIDE_MAP}` : `mt-8 ${BESIDE_FILTERS}`}`}>
          {/* Beside the map the filters are a panel and must not occupy a grid column. */}
          <div className={onMap ? "contents" : undefined}>
            <Boundary>
              <Filters search={search} list={list} />
            </Boundary>
          </div>
          <div>
            <Boundary>
              <div className="flex flex-wrap items-center gap-x-3 gap-y-3 border-b border-line pb-4 lg:border-0">
                <p aria-live="polite" className="mr-auto text-lg font-semibold tabular-nums">
                  {t.count(total, homes)}
                </p>
                <SortSelect search={search} />
                <div className="flex flex-wrap items-center justify-between gap-3 max-sm:w-full print:hidden">
                  <FiltersButton count={applied.length} always={onMap} />
                  <ViewChoice search={asked} />
                </div>
              </div>
            </Boundary>
            <div className="flex flex-col gap-3 pt-2 pb-4">
              <Boundary>
                <div className="flex flex-wrap items-center gap-x-5">
                  {ofSold ? null : <SaveSearch search={search} />}
                  <NonHomesNote search={search} homes={total - others} others={others} />
                </div>
              </Boundary>
              <AppliedFilters
                search={search}
                filters={applied}
                words={search.q === asked.q ? undefined : asked.q}
                list={list}
              />
            </div>
            {onMap ? <noscript>{import.meta.env.SSR ? <MapNeedsScript /> : null}</noscript> : null}
            <div className={onMap ? "beside-map" : undefined}>
              {items.length === 0 ? (
                <Boundary>
                  <NoResults search={search} filters={applied} loosen={list.loosen} />
                </Boundary>
              ) : (
                <Cards
                  items={items}
                  onMap={onMap}
                  asked={asked}
                  perPage={list.perPage}
                  homes={total - others}
                />
              )}
              <div className="mt-12 print:hidden">
                <Boundary>
                  <Pagination
                    page={asked.page}
                    pages={pagesOf(total, list.perPage)}
                    to={(page) => searchPath({ ...asked, page })}
                  />
                </Boundary>
              </div>
            </div>
            {place && isAboutPlace ? (
              <Boundary>
                <AboutPlace
                  place={place}
                  heading={heading}
                  facets={facets}
                  text={described === undefined ? undefined : placeText?.body}
                />
              </Boundary>
            ) : null}
            {listPage?.body && asked.page === 1 && !onMap ? (
              <Boundary>
                <Prose
                  html={listPage.body}
                  lang={foreignTag(listPage.language, locale)}
                  className="mt-16 border-t border-line pt-12"
                />
              </Boundary>
            ) : null}
          </div>
          {onMap ? (
            <MapPane>
              <SearchMap
                search={search}
                asked={asked}
                tools={({ ref, url }) => <HomeTools reference={ref} path={url} on="pin" />}
              />
            </MapPane>
          ) : null}
        </div>
      </div>
    </>
  );
}

/** The link to email alerts for this search. */
function SaveSearch({ search }: { search: Search }) {
  const t = useMessages(searchMessages);
  return (
    <Link
      to={saveSearchPath(search)}
      rel="nofollow"
      className="text-link icon-link min-h-11 print:hidden"
    >
      <Icon name="bell" />
      {t.save}
    </Link>
  );
}

const BESIDE_FILTERS = "gap-10 lg:grid-cols-[17rem_minmax(0,1fr)]";
const BESIDE_MAP =
  "gap-6 noscript:max-lg:flex noscript:max-lg:flex-col lg:grid-cols-[minmax(0,1fr)_minmax(0,1.2fr)]";

/** Opens the filters panel, where the filters are not shown as a column. */
function FiltersButton({ count, always }: { count: number; always: boolean }) {
  const t = useMessages(searchMessages);
  return (
    <button
      type="button"
      popoverTarget={FILTERS_PANEL}
      className={`${buttonStyle.outline} ${always ? "" : "lg:hidden"}`}
    >
      <Icon name="filter" />
      {t.filters}
      {count > 0 ? (
        <span className="rounded-full bg-sun px-2 py-1 text-xs text-on-sun">
          <span aria-hidden="true">{count}</span>
          <span className="sr-only">{t.filterCount(count)}</span>
        </span>
      ) : null}
    </button>
  );
}

const SIZES_BESIDE_MAP = `(min-width: 80rem) 20vw, (min-width: 64rem) 40vw, ${CARD_BELOW}`;

interface CardsProps {
  items: readonly Card[];
  onMap: boolean;
  /** The requested search, passed on so that a home's page can link to its neighbours in the list. */
  asked: Search;
  perPage: number;
  /** How many homes the list has before its second part: garages, land and premises. */
  homes: number;
}

function Cards({ items, onMap, asked, perPage, homes }: CardsProps) {
  const locale = useLocale();
  const t = useMessages(searchMessages);
  const list = searchPath(asked);
  const search = apiSearch(asked, locale);
  const first = (asked.page - 1) * perPage + 1;
  const WaitingCards = useWaitingCards();
  const columns = onMap ? "lg:grid-cols-1 xl:grid-cols-2" : "xl:grid-cols-3";
  const className = `grid gap-5 sm:grid-cols-2 ${columns}`;
  if (WaitingCards) return <WaitingCards count={items.length} className={className} />;
  const cards = items.map((property, index) => (
    <li key={property.ref}>
      <Boundary>
        <PropertyCard
          property={property}
          heading="h2"
          foundIn={{ list, search, position: first + index }}
          eager={index === 0}
          sizes={onMap ? SIZES_BESIDE_MAP : CARD_SIZES.three}
        />
      </Boundary>
    </li>
  ));
  const [here, others] = splitAfter(cards, homes - first + 1);
  return (
    <div className="flex flex-col gap-12">
      {here.length > 0 ? <ul className={className}>{here}</ul> : null}
      {others.length > 0 ? (
        <div className="flex flex-col gap-5">
          {/* A list without homes already names these in its heading. */}
          {homes > 0 ? (
            <Boundary>
              <h2 className="text-heading">{t.othersTitle}</h2>
            </Boundary>
          ) : null}
          <ul className={className}>{others}</ul>
        </div>
      ) : null}
    </div>
  );
}

/** Splits `items` after the first `count`. */
function splitAfter<T>(items: readonly T[], count: number): [T[], T[]] {
  const end = Math.max(0, count);
  return [items.slice(0, end), items.slice(end)];
}
