import { GuideParts } from "#app/features/content/guide-parts.tsx";
import { contentMessages } from "#app/features/content/messages.ts";
import { docQuery, pageQuery } from "#app/features/content/queries.ts";
import { Areas } from "#app/features/home/areas.tsx";
import { Hero } from "#app/features/home/hero.tsx";
import { homeMessages } from "#app/features/home/messages.ts";
import { Section } from "#app/features/home/section.tsx";
import { ValuationBand } from "#app/features/home/valuation-band.tsx";
import { PropertyCard } from "#app/features/property/card/property-card.tsx";
import { SearchBar } from "#app/features/search/search-bar.tsx";
import { teamMessages } from "#app/features/team/messages.ts";
import { People } from "#app/features/team/people.tsx";
import { teamQuery } from "#app/features/team/queries.ts";
import type { PropertyCard as Card } from "#app/lib/api/types.ts";
import { foreignTag, type Locale, useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useAnswer, useOptionalAnswer } from "#app/lib/query/api-query.ts";
import { publicPage } from "#app/lib/query/page.server.ts";
import { browserPage, type PageLoad, readIfWritten } from "#app/lib/query/page.ts";
import { firstQuery, placesQuery, selectionQuery } from "#app/lib/search/queries.ts";
import { EVERYTHING, type Search, searchPath } from "#app/lib/search/search-params.ts";
import { Seo, useOrigin } from "#app/lib/seo/seo.tsx";
import { estateAgent, graph, webSite } from "#app/lib/seo/structured-data.ts";
import { promisesQuery } from "#app/lib/site/promises.ts";
import { useSite } from "#app/lib/site/site-query.ts";
import { CARD_SIZES } from "#app/ui/card-sizes.ts";
import { Icon } from "#app/ui/icon.tsx";
import { Link } from "#app/ui/link.tsx";
import { Prose } from "#app/ui/prose.tsx";

export { PageError as ErrorBoundary } from "#app/features/error/page-error.tsx";

const FEATURED = 3;
const NEWEST = 8;
const SOLD = 4;

/** The path to save a search for everything; a literal, so that the home page doesn't load the code for saving. */
const SAVE_EVERYTHING = "/save-search";

const SOLD_HOMES: Search = { ...EVERYTHING, status: ["sold"] };
const soldQuery = (locale: Locale) => firstQuery(locale, SOLD_HOMES, SOLD);

const load: PageLoad = async (read, { locale }) => {
  await Promise.all([
    read(selectionQuery(locale, "featured", FEATURED)),
    read(selectionQuery(locale, "newest", NEWEST + FEATURED)),
    read(placesQuery(locale)),
    read(soldQuery(locale)),
    read(teamQuery(locale)),
    read(promisesQuery(locale)),
    readIfWritten(read, docQuery(locale, "")),
    readIfWritten(read, pageQuery(locale, "home")),
  ]);
};

export const loader = publicPage(load);
export const clientLoader = browserPage(load);

export default function Home() {
  const locale = useLocale();
  const t = useMessages(homeMessages);
  const c = useMessages(contentMessages);
  const people = useMessages(teamMessages);
  const { settings } = useSite();
  const seoContext = { origin: useOrigin(), locale };
  const page = useOptionalAnswer(pageQuery(locale, "home"));
  const lang = page && foreignTag(page.language, locale);
  const featured = useAnswer(selectionQuery(locale, "featured", FEATURED)).items;
  // Featured homes are already shown above.
  const newest = useAnswer(selectionQuery(locale, "newest", NEWEST + FEATURED))
    .items.filter(({ ref }) => !featured.some((chosen) => chosen.ref === ref))
    .slice(0, NEWEST);
  const places = useAnswer(placesQuery(locale)).items;
  const sold = useAnswer(soldQuery(locale)).items;
  const team = useAnswer(teamQuery(locale)).items;
  const guides = useOptionalAnswer(docQuery(locale, ""))?.contents ?? [];
  return (
    <>
      <Seo
        title={`${settings.companyName}: ${page?.title ?? t.title}`}
        suffix={settings.titleSuffix}
        description={page?.metaDescription || settings.description}
        path="/"
        picture={page?.image ?? settings.hero}
        structuredData={graph(webSite(settings, seoContext), estateAgent(settings, seoContext))}
      />
      <Hero settings={settings}>
        <SearchBar />
      </Hero>
      {featured.length > 0 ? (
        <Section
          title={t.featured}
          link={{ label: t.allFeatured, to: searchPath({ ...EVERYTHING, featured: true }) }}
        >
          <ul className="grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
            {featured.map((property) => (
              <li key={property.ref} className="sm:last:odd:max-lg:hidden">
                <PropertyCard property={property} sizes={CARD_SIZES.three} />
              </li>
            ))}
          </ul>
        </Section>
      ) : null}
      <Section
        title={t.newest}
        link={{ label: t.allNewest, to: searchPath(EVERYTHING) }}
        flush={featured.length > 0}
      >
        <CardRow items={newest} />
        <Link to={SAVE_EVERYTHING} rel="nofollow" className="text-link icon-link mt-6">
          <Icon name="bell" />
          {t.tellMe}
        </Link>
      </Section>
      <Section
        title={t.areas}
        link={{ label: t.onMap, to: searchPath({ ...EVERYTHING, view: "map" }) }}
        tone="sunk"
      >
        <Areas places={places} />
      </Section>
      {sold.length > 0 ? (
        <Section title={t.sold} link={{ label: t.allSold, to: searchPath(SOLD_HOMES) }}>
          <CardRow items={sold} />
          <ValuationBand className="mt-10" />
        </Section>
      ) : (
        <ValuationBand className="page-width py-14 lg:py-20" />
      )}
      {team.length > 0 ? (
        <Section title={people.title} link={{ label: t.aboutUs, to: "/about" }} tone="sunk">
          <div className="grid items-center gap-x-16 gap-y-10 lg:grid-cols-[2fr_3fr]">
            {page ? (
              <p lang={lang} className="max-w-[32ch] font-display text-heading leading-snug">
                {page.intro}
              </p>
            ) : null}
            <People members={team} />
          </div>
        </Section>
      ) : null}
      {page?.body ? (
        <div className="page-width pt-14 lg:pt-20">
          <Prose
            html={page.body}
            lang={lang}
            className="max-w-none gap-16 lg:columns-2 [&>h2]:break-after-avoid"
          />
        </div>
      ) : null}
      {guides.length > 0 ? (
        <Section title={c.guides} link={{ label: c.allGuides, to: "/docs" }}>
          <GuideParts links={guides} />
        </Section>
      ) : null}
    </>
  );
}

/** A grid of homes; on a phone a row that scrolls sideways, which keeps the page short. */
function CardRow({ items }: { items: readonly Card[] }) {
  return (
    <ul className="card-row lg:grid-cols-4">
      {items.map((property) => (
        <li key={property.ref}>
          <PropertyCard property={property} sizes={CARD_SIZES.four} />
        </li>
      ))}
    </ul>
  );
}
