import { redirect, useParams } from "react-router";
import { AnnualCosts } from "#app/features/property/annual-costs.tsx";
import { AskBar, AskPanel } from "#app/features/property/ask-panel.tsx";
import { Energy } from "#app/features/property/energy.tsx";
import { FactRow } from "#app/features/property/facts.tsx";
import { Gallery } from "#app/features/property/gallery.tsx";
import { propertyMessages } from "#app/features/property/messages.ts";
import { PropertyCard } from "#app/features/property/property-card.tsx";
import { propertyPath, propertyQuery } from "#app/features/property/queries.ts";
import { propertyStructuredData } from "#app/features/property/structured-data.ts";
import { formatDate } from "#app/lib/format/format.ts";
import { LANGUAGE_TAG, localizedPath, useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useAnswer } from "#app/lib/query/api-query.ts";
import { serverPage } from "#app/lib/query/page.server.ts";
import { browserPage, type PageLoad } from "#app/lib/query/page.ts";
import { Seeded } from "#app/lib/query/seed.tsx";
import { Seo, useOrigin } from "#app/lib/seo/seo.tsx";
import { useSite } from "#app/lib/site/site-query.ts";
import { distinctFeatures, featureName } from "#app/lib/vocabulary/feature-names.ts";
import { kindNames } from "#app/lib/vocabulary/names.ts";
import { Breadcrumbs } from "#app/ui/breadcrumbs.tsx";
import { Icon } from "#app/ui/icon.tsx";
import type { Route } from "./+types/property-detail.ts";

export { PageError as ErrorBoundary } from "#app/features/error/page-error.tsx";

const load: PageLoad = async (read, { locale, params }) => {
  // References are written in capitals; a link that was typed may not be.
  const reference = (params.ref ?? "").toUpperCase();
  const property = await read(propertyQuery(locale, reference));
  if (property.location.slug !== params.location || property.ref !== params.ref) {
    throw redirect(localizedPath(locale, propertyPath(property)), 301);
  }
};

export const loader = serverPage(load);
export const clientLoader = browserPage(load);

export default function PropertyDetail({ loaderData }: Route.ComponentProps) {
  return (
    <Seeded seed={loaderData.seed}>
      <Page />
    </Seeded>
  );
}

function Page() {
  const locale = useLocale();
  const origin = useOrigin();
  const t = useMessages(propertyMessages);
  const kinds = useMessages(kindNames);
  const { settings } = useSite();
  const { ref = "" } = useParams();
  const property = useAnswer(propertyQuery(locale, ref));
  const path = propertyPath(property);
  const place = property.location;
  const translated = property.language === locale;
  const lang = translated ? undefined : LANGUAGE_TAG[property.language];
  return (
    <>
      <Seo
        title={`${property.title} · ${property.ref}`}
        suffix={settings.titleSuffix}
        description={property.summary}
        path={path}
        locales={property.locales}
        picture={property.images[0]}
        indexed={property.status !== "sold" && translated}
        structuredData={propertyStructuredData(
          property,
          origin + localizedPath(locale, path),
          origin,
        )}
      />
      <article className="page-width pt-5 pb-16">
        <Breadcrumbs
          label={t.crumbs}
          crumbs={[
            { label: t.home, to: "/" },
            { label: t.forSale, to: "/property-for-sale" },
            { label: place.name, to: `/property-for-sale/${place.slug}` },
          ]}
        />
        <div className="mt-3">
          <Gallery property={property} />
        </div>
        <div className="mt-10 grid gap-12 lg:grid-cols-[minmax(0,1fr)_22rem] lg:gap-16">
          <div className="flex min-w-0 flex-col gap-12">
            <header>
              <p className="flex items-center gap-1.5 text-muted">
                <Icon name="pin" className="size-4.5" />
                {t.place(kinds[property.kind], place.name)}
              </p>
              <h1 className="mt-2 text-title" lang={lang}>
                {property.title}
              </h1>
              <p className="mt-4 max-w-[60ch] text-xl text-muted" lang={lang}>
                {property.summary}
              </p>
              {translated ? null : (
                <p className="mt-4 rounded-xl bg-sun-wash px-4 py-3">{t.otherLanguage}</p>
              )}
            </header>
            <FactRow property={property} />
            <div className="lg:hidden">
              <AskPanel property={property} />
            </div>
            <section aria-labelledby="description">
              <h2 id="description" className="text-heading">
                {t.description}
              </h2>
              {/* Editors' HTML, cleaned by the service that captures it. */}
              <div
                lang={lang}
                className="prose mt-4"
                dangerouslySetInnerHTML={{ __html: property.description }}
              />
            </section>
            {property.features.length > 0 ? (
              <section aria-labelledby="features">
                <h2 id="features" className="text-heading">
                  {t.features}
                </h2>
                <ul className="mt-4 grid grid-cols-2 gap-x-6 gap-y-2.5 sm:grid-cols-3">
                  {distinctFeatures(property.features).map((feature) => (
                    <li key={feature} className="flex items-center gap-2">
                      <span className="flex size-5 items-center justify-center rounded-full bg-sun text-on-sun">
                        <Icon name="check" className="size-3.5" />
                      </span>
                      {featureName(feature, locale)}
                    </li>
                  ))}
                </ul>
              </section>
            ) : null}
            <Energy energy={property.energy} />
            <AnnualCosts costs={property.annualCosts} />
            <p className="text-sm text-muted">
              {t.reference} <strong className="font-semibold text-ink">{property.ref}</strong> ·{" "}
              {t.listed} {formatDate(locale, property.publishedAt)} · {t.updated}{" "}
              {formatDate(locale, property.updatedAt)}
            </p>
          </div>
          <div className="hidden lg:block">
            <div className="sticky top-20">
              <AskPanel property={property} />
            </div>
          </div>
        </div>
      </article>
      {property.similar.length > 0 ? (
        <section aria-labelledby="similar" className="bg-sunk">
          <div className="page-width py-14 lg:py-20">
            <h2 id="similar" className="text-title">
              {t.similar}
            </h2>
            <ul className="mt-8 grid gap-5 sm:grid-cols-2 lg:grid-cols-4">
              {property.similar.slice(0, 4).map((similar) => (
                <li key={similar.ref}>
                  <PropertyCard
                    property={similar}
                    sizes="(min-width: 80rem) 18rem, (min-width: 64rem) 23vw, (min-width: 40rem) 46vw, 90vw"
                  />
                </li>
              ))}
            </ul>
          </div>
        </section>
      ) : null}
      <AskBar property={property} />
    </>
  );
}
