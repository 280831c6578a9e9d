import { startTransition, useState } from "react";
import { redirect, useParams, useRouteError } from "react-router";
import { HomeEnquiry } from "#app/features/enquiry/home-enquiry.tsx";
import { PageError } from "#app/features/error/page-error.tsx";
import { SimilarHomes } from "#app/features/property/card/similar-homes.tsx";
import { detailMessages } from "#app/features/property/detail-messages.ts";
import { editorialTextQuery } from "#app/features/property/editorial-text.ts";
import {
  EnquiryBar,
  EnquiryPanel,
  PriceHead,
} from "#app/features/property/enquiry/enquiry-panel.tsx";
import { FactRow } from "#app/features/property/facts/fact-row.tsx";
import { Gallery } from "#app/features/property/gallery/gallery.tsx";
import { Gone, withdrawnPropertyOf } from "#app/features/property/gone.tsx";
import { PropertyNavigation } from "#app/features/property/in-search/property-navigation.tsx";
import { propertyMessages } from "#app/features/property/messages.ts";
import { HomeTools } from "#app/features/property/my-homes/home-tools.tsx";
import { nounOf } from "#app/features/property/noun.ts";
import { comparableQuery, isComparable } from "#app/features/property/price/comparable.ts";
import { CopyReference } from "#app/features/property/share/copy-reference.tsx";
import { Letterhead } from "#app/features/property/share/letterhead.tsx";
import { linkPreviewPath } from "#app/features/property/share/link-preview.ts";
import { propertyStructuredData } from "#app/features/property/structured-data.ts";
import { UnitsChoice } from "#app/features/property/units/units-choice.tsx";
import { Boundary } from "#app/lib/browser/boundary.tsx";
import { formatDate } from "#app/lib/format/date.ts";
import { foreignTag, localizedPath, useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { figuresQuery } from "#app/lib/property/figures.ts";
import { offerOf } from "#app/lib/property/offer.ts";
import { propertyPath, propertyQuery, sheetPath } from "#app/lib/property/queries.ts";
import { isGone, useAnswer, useQueryState } from "#app/lib/query/api-query.ts";
import { publicPage } from "#app/lib/query/page.server.ts";
import { browserPage, type PageLoad, readIfWritten } from "#app/lib/query/page.ts";
import { lazy } from "#app/lib/release/lazy.ts";
import { placePath } from "#app/lib/search/list-path.ts";
import { Seo, useOrigin } from "#app/lib/seo/seo.tsx";
import { summaryAbove } from "#app/lib/seo/summary-above.ts";
import { placeLabel } from "#app/lib/site/place-label.ts";
import { placesAround } from "#app/lib/site/places.ts";
import { useSite } from "#app/lib/site/site-query.ts";
import { kindNames } from "#app/lib/vocabulary/names.gen.ts";
import { Icon } from "#app/ui/icon.tsx";
import { Prose } from "#app/ui/prose.tsx";

/** Both are far below the fold: they are in the server's HTML and hydrate a moment later. */
const PropertySections = lazy(() => import("#app/features/property/facts/property-sections.tsx"));
const Costs = lazy(() => import("#app/features/property/costs/costs.tsx"));

const load: PageLoad = async (read, { locale, params }) => {
  // The API also finds a reference typed in lower case; the redirect below leads to its canonical form.
  const [property] = await Promise.all([
    read(propertyQuery(locale, params.ref ?? "")),
    read(figuresQuery(locale)),
  ]);
  if (property.location.slug !== params.location || property.ref !== params.ref) {
    throw redirect(localizedPath(locale, propertyPath(property)), 301);
  }
  await Promise.all([
    read(editorialTextQuery(locale, property)),
    // A preview has none: the API doesn't know drafts.
    isComparable(property) && readIfWritten(read, comparableQuery(locale, property.ref)),
  ]);
};

export const loader = publicPage(load);
export const clientLoader = browserPage(async (read, address) => {
  // On a client-side navigation everything appears at once, so nothing shifts the layout later.
  await Promise.all([load(read, address), PropertySections.preload(), Costs.preload()]);
});

/** Shows alternatives to a withdrawn home; any other error gets the site's usual error page. */
export function ErrorBoundary() {
  const gone = withdrawnPropertyOf(useRouteError());
  return gone ? <Gone property={gone} /> : <PageError />;
}

export default function PropertyDetail() {
  const locale = useLocale();
  const origin = useOrigin();
  const t = useMessages(propertyMessages);
  const d = useMessages(detailMessages);
  const kinds = useMessages(kindNames);
  const { settings, locations } = useSite();
  // State per home is keyed by the URL's reference: an editor may correct the home's own reference while it is open.
  const { ref = "" } = useParams();
  const query = propertyQuery(locale, ref);
  // The reference of the home whose enquiry form is being filled in. It stays shown even if the home is withdrawn.
  const [written, setWritten] = useState<string>();
  const isWritten = written === ref;
  // The form belonged to another home and has been unmounted.
  if (written !== undefined && !isWritten) setWritten(undefined);
  const property = useAnswer(query, isWritten);
  const isWithdrawn = isGone(useQueryState(query).error);
  const place = property.location;
  const noun = nounOf(property.kind);
  const lang = foreignTag(property.language, locale);
  const lead = summaryAbove(property.summary, property.description);
  const path = propertyPath(property);
  const url = origin + localizedPath(locale, path);
  const crumbs = [
    { label: d.home, to: "/" },
    { label: d.forSale, to: "/property-for-sale" },
    ...[...placesAround(locations, place.slug), place].map(({ slug, name }) => ({
      label: placeLabel(name),
      to: placePath(slug),
    })),
  ];
  return (
    <>
      <Seo
        title={`${property.title} · ${property.ref}`}
        suffix={settings.titleSuffix}
        description={property.summary}
        path={path}
        locales={property.locales}
        sharing={linkPreviewPath(locale, property)}
        indexed={property.status !== "sold" && lang === undefined}
        structuredData={propertyStructuredData(property, settings, crumbs, { origin, locale })}
      />
      <Boundary>
        <Letterhead url={url} />
      </Boundary>
      <article className="page-width pt-5 pb-16 print:p-0">
        <Boundary>
          <PropertyNavigation property={property} crumbs={crumbs} url={url} />
          <div className="mt-3">
            <Gallery key={ref} property={property} />
          </div>
        </Boundary>
        <div className="beside-enquiry">
          <Boundary>
            <div>
              <header>
                <p className="flex items-center gap-1.5 text-muted">
                  <Icon name="pin" className="size-4.5" />
                  {t.place(kinds[property.kind], place.name)}
                </p>
                <h1 className="mt-2 text-title print:text-3xl" lang={lang}>
                  {property.title}
                </h1>
                {/* Large screens show the price in the panel beside the text. */}
                <div key={ref} className="mt-3 lg:hidden print:hidden">
                  <PriceHead property={property} />
                </div>
                {lead ? (
                  <p
                    className="mt-4 max-w-[60ch] text-xl text-muted print:mt-1 print:text-base"
                    lang={lang}
                  >
                    {lead}
                  </p>
                ) : null}
                <div className="mt-4 flex min-h-11 flex-wrap gap-2 noscript:hidden print:hidden">
                  <HomeTools
                    key={property.ref}
                    reference={property.ref}
                    now={offerOf(property)}
                    on="page"
                  />
                </div>
                {lang ? <p className="notice mt-4">{d.otherLanguage}</p> : null}
                <p className="mt-5 flex flex-col gap-x-3 text-sm sm:flex-row sm:flex-wrap sm:items-center text-muted print:mt-1">
                  <CopyReference reference={property.ref} />
                  <DateNote words={d.updated} day={property.updatedAt} />
                  <DateNote words={d.listed} day={property.publishedAt} />
                  <DateNote words={d.forSaleAgain} day={property.forSaleAgainSince} />
                  <a
                    href={localizedPath(locale, sheetPath(property))}
                    className="text-link w-fit py-1 print:hidden"
                  >
                    {d.windowSheet}
                  </a>
                </p>
              </header>
              <div>
                <FactRow property={property} />
                <UnitsChoice />
              </div>
            </div>
          </Boundary>
          <div>
            <Boundary>
              <section aria-labelledby="description">
                <h2 id="description" className="text-heading">
                  {d.description(noun)}
                </h2>
                <Prose html={property.description} lang={lang} className="mt-4 print:mt-1" />
              </section>
            </Boundary>
            <Boundary>
              <PropertySections key={ref} property={property} />
            </Boundary>
          </div>
          {/* Follows the text in reading order; large screens show both side by side. */}
          <Boundary>
            <EnquiryPanel
              key={ref}
              property={property}
              isWritten={isWritten}
              // In a transition, so that React keeps the parts whose scripts are still loading.
              onWrite={() => startTransition(() => setWritten(ref))}
              isWithdrawn={isWithdrawn}
              form={<HomeEnquiry property={property} second={property.status === "for_sale"} />}
            />
          </Boundary>
        </div>
      </article>
      <Boundary>
        <Costs key={ref} property={property} />
      </Boundary>
      <Boundary>
        <SimilarHomes
          homes={property.similar}
          noun={noun}
          newBuild={property.newBuild}
          place={place.name}
        />
      </Boundary>
      <Boundary>
        <EnquiryBar key={ref} property={property} />
      </Boundary>
    </>
  );
}

/** Shows the date of something that happened to the home; renders nothing if it never did. */
function DateNote({ words, day }: { words: string; day: string | undefined }) {
  const locale = useLocale();
  if (!day) return null;
  return (
    <span>
      {`${words} `}
      <time dateTime={day}>{formatDate(locale, day)}</time>
    </span>
  );
}
