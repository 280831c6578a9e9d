import { AreaCard } from "#app/features/home/area-card.tsx";
import { Hero } from "#app/features/home/hero.tsx";
import { homeMessages } from "#app/features/home/messages.ts";
import { Section } from "#app/features/home/section.tsx";
import { PropertyCard } from "#app/features/property/card/property-card.tsx";
import { SearchBar } from "#app/features/search/search-bar.tsx";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useAnswer } from "#app/lib/query/api-query.ts";
import { publicPage } from "#app/lib/query/page.server.ts";
import { browserPage, type PageLoad } from "#app/lib/query/page.ts";
import { placesQuery, selectionQuery } from "#app/lib/search/queries.ts";
import { Seo, useOrigin } from "#app/lib/seo/seo.tsx";
import { estateAgent, graph, webSite } from "#app/lib/seo/structured-data.ts";
import { useSite } from "#app/lib/site/site-query.ts";
import { CARD_SIZES } from "#app/ui/card-sizes.ts";

export { PageError as ErrorBoundary } from "#app/features/error/page-error.tsx";

const FEATURED = 3;
const NEWEST = 8;
const AREAS = 8;

const load: PageLoad = async (read, { locale }) => {
  await Promise.all([
    read(selectionQuery(locale, "featured", FEATURED)),
    read(selectionQuery(locale, "newest", NEWEST + FEATURED)),
    read(placesQuery(locale)),
  ]);
};

export const loader = publicPage(load);
export const clientLoader = browserPage(load);

export default function Home() {
  const locale = useLocale();
  const t = useMessages(homeMessages);
  const { settings } = useSite();
  const standing = { origin: useOrigin(), locale };
  const featured = useAnswer(selectionQuery(locale, "featured", FEATURED)).items;
  // What was chosen stands above already.
  const newest = useAnswer(selectionQuery(locale, "newest", NEWEST + FEATURED))
    .items.filter(({ ref }) => !featured.some((chosen) => chosen.ref === ref))
    .slice(0, NEWEST);
  const places = useAnswer(placesQuery(locale)).items;
  return (
    <>
      <Seo
        title={`${settings.companyName}: ${t.title}`}
        suffix={settings.titleSuffix}
        description={settings.description}
        path="/"
        picture={settings.hero}
        structuredData={graph(webSite(settings, standing), estateAgent(settings, standing))}
      />
      <Hero settings={settings}>
        <SearchBar />
      </Hero>
      {featured.length > 0 ? (
        <Section
          title={t.featured}
          more={{ label: t.allFeatured, to: "/property-for-sale?featured=true" }}
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
      <Section title={t.areas} lead={t.areasLead} tone="sunk">
        <ul className="grid grid-cols-2 gap-x-5 gap-y-8 md:grid-cols-4">
          {places.slice(0, AREAS).map((place) => (
            <li key={place.slug}>
              <AreaCard place={place} />
            </li>
          ))}
        </ul>
      </Section>
      <Section title={t.newest} more={{ label: t.allNewest, to: "/property-for-sale" }}>
        <ul className="grid gap-5 sm:grid-cols-2 lg:grid-cols-4">
          {newest.map((property) => (
            <li key={property.ref}>
              <PropertyCard property={property} sizes={CARD_SIZES.four} />
            </li>
          ))}
        </ul>
      </Section>
    </>
  );
}
