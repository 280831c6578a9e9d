import { useParams } from "react-router";
import { ContactCard } from "#app/features/content/contact-card.tsx";
import { ContentsList } from "#app/features/content/contents-list.tsx";
import { useHomeCrumb } from "#app/features/content/crumbs.ts";
import { DocMenu } from "#app/features/content/doc-menu.tsx";
import { DocSteps } from "#app/features/content/doc-steps.tsx";
import { docAncestors, docPath, docsIn } from "#app/features/content/doc-tree.ts";
import { contentMessages } from "#app/features/content/messages.ts";
import { docQuery } from "#app/features/content/queries.ts";
import { DocLinks } from "#app/features/content/read-on.tsx";
import { foreignTag, useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useAnswer } from "#app/lib/query/api-query.ts";
import { publicPage } from "#app/lib/query/page.server.ts";
import { browserPage, type PageLoad } from "#app/lib/query/page.ts";
import { Seo, useOrigin } from "#app/lib/seo/seo.tsx";
import { article, breadcrumbList, graph } from "#app/lib/seo/structured-data.ts";
import { summaryAbove } from "#app/lib/seo/summary-above.ts";
import { useSite } from "#app/lib/site/site-query.ts";
import { Breadcrumbs } from "#app/ui/breadcrumbs.tsx";
import { Prose } from "#app/ui/prose.tsx";

export { PageError as ErrorBoundary } from "#app/features/error/page-error.tsx";

/** Pages with fewer headings get no table of contents. */
const HEADINGS_WORTH_LISTING = 2;

const load: PageLoad = async (read, { locale, params }) => {
  await read(docQuery(locale, params["*"] ?? ""));
};

export const loader = publicPage(load);
export const clientLoader = browserPage(load);

export default function Docs() {
  const locale = useLocale();
  const origin = useOrigin();
  const t = useMessages(contentMessages);
  const { settings } = useSite();
  const { "*": slug = "" } = useParams();
  const doc = useAnswer(docQuery(locale, slug));
  const links = doc.contents ?? [];
  const path = docPath(doc.slug);
  const crumbs = [
    useHomeCrumb(),
    ...docAncestors(links, doc.slug).map((link) => ({
      label: link.slug === "" ? t.guides : link.title,
      to: docPath(link.slug),
    })),
  ];
  const lang = foreignTag(doc.language, locale);
  const lead = summaryAbove(doc.summary, doc.body);
  const inside = docsIn(links, doc.slug);
  // An overview page, which is little more than links to other pages, shows no reading time.
  const isOverview = doc.slug === "" || inside.length > 0;
  return (
    <div className="list-width grid gap-x-12 gap-y-6 pt-5 pb-20 lg:grid-cols-[16rem_minmax(0,1fr)] xl:gap-x-20">
      <Seo
        title={doc.title}
        suffix={settings.titleSuffix}
        description={doc.summary}
        path={path}
        locales={doc.locales}
        picture={settings.hero}
        indexed={lang === undefined}
        structuredData={graph(
          breadcrumbList([...crumbs, { label: doc.title, to: path }], { origin, locale }),
          article({ ...doc, path }, settings, origin),
        )}
      />
      <div className="lg:order-first lg:pt-16">
        <DocMenu links={links} slug={doc.slug} />
      </div>
      <div className="grid gap-x-16 xl:grid-cols-[minmax(0,1fr)_17rem]">
        <article className="min-w-0">
          <Breadcrumbs label={t.crumbs} crumbs={crumbs} />
          <h1 className="mt-4 max-w-[24ch] text-title lg:mt-10" lang={lang}>
            {doc.title}
          </h1>
          {lead ? (
            <p className="mt-4 max-w-[56ch] text-xl leading-relaxed text-muted" lang={lang}>
              {lead}
            </p>
          ) : null}
          {lang ? <p className="notice mt-5 inline-block">{t.otherLanguage}</p> : null}
          {isOverview ? null : <p className="mt-4 text-sm text-muted">{t.minutes(doc.minutes)}</p>}
          <div className="mt-10">
            <Prose html={doc.body} lang={lang} />
          </div>
          {inside.length > 0 ? (
            <section aria-labelledby="inside" className="mt-12">
              <h2 id="inside" className="text-heading">
                {t.inThisPart}
              </h2>
              <DocLinks docs={inside} className="mt-5 max-w-[41rem]" />
            </section>
          ) : null}
          <ContactCard selling={doc.slug.split("/")[0] === "selling"} />
          <DocSteps links={links} slug={doc.slug} />
        </article>
        {doc.headings.length >= HEADINGS_WORTH_LISTING ? (
          <div className="hidden pt-16 xl:block">
            <div className="sticky top-24">
              <ContentsList headings={doc.headings} lang={lang} />
            </div>
          </div>
        ) : null}
      </div>
    </div>
  );
}
