import { ContactCard } from "#app/features/content/contact-card.tsx";
import { contentMessages } from "#app/features/content/messages.ts";
import { PageHead } from "#app/features/content/page-head.tsx";
import { Questions } from "#app/features/content/questions.tsx";
import { Reading } from "#app/features/content/reading.tsx";
import { PropertyCard } from "#app/features/property/card/property-card.tsx";
import type { ContentPage, PropertyCardList } from "#app/lib/api/types.ts";
import { foreignTag, type Locale, useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { type ApiQuery, useOptionalAnswer } from "#app/lib/query/api-query.ts";
import { placePath } from "#app/lib/search/list-path.ts";
import { firstQuery } from "#app/lib/search/queries.ts";
import { buttonStyle } from "#app/ui/button.tsx";
import { CARD_SIZES } from "#app/ui/card-sizes.ts";
import { Icon } from "#app/ui/icon.tsx";
import { Link } from "#app/ui/link.tsx";

const LATEST = 6;
/** Stands in for the list when an open page has just become an introduction, so the list isn't loaded yet. */
const NO_HOMES = { items: [], total: 0 };

/** Queries the latest homes in a place, which its introduction shows. */
export function latestQuery(locale: Locale, place: string): ApiQuery<PropertyCardList> {
  return firstQuery(locale, { location: [place] }, LATEST);
}

interface LandingProps {
  page: ContentPage;
  place: { slug: string; name: string };
}

/** The introduction to a place, with its latest homes. */
export function Landing({ page, place: { slug, name } }: LandingProps) {
  const locale = useLocale();
  const t = useMessages(contentMessages);
  const { items, total } = useOptionalAnswer(latestQuery(locale, slug)) ?? NO_HOMES;
  const lang = foreignTag(page.language, locale);
  const list = placePath(slug);
  return (
    <>
      <div className="pb-14">
        <PageHead page={page}>
          {total > 0 ? (
            <Link to={list} className={`${buttonStyle.primary} tabular-nums`}>
              {t.countIn(total, name)}
              <Icon name="arrow" className="size-4.5" />
            </Link>
          ) : null}
        </PageHead>
      </div>
      {items.length > 0 ? (
        <section aria-labelledby="latest" className="bg-sunk">
          <div className="page-width py-14 lg:py-20">
            <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-3">
              <h2 id="latest" className="text-heading">
                {t.latestIn(name)}
              </h2>
              <Link to={list} className="text-link icon-link">
                {t.allIn(name)}
                <Icon name="arrow" className="size-4.5" />
              </Link>
            </div>
            <ul className="mt-8 grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
              {items.map((property) => (
                <li key={property.ref}>
                  <PropertyCard property={property} sizes={CARD_SIZES.three} />
                </li>
              ))}
            </ul>
          </div>
        </section>
      ) : null}
      <div className="page-width py-14 lg:py-20">
        <Reading text={page} lang={lang}>
          <ContactCard />
        </Reading>
      </div>
      <Questions questions={page.faq} lang={lang} />
    </>
  );
}
