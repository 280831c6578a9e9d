import { useParams } from "react-router";
import { ArticleCard, articlePath, PublishedOn } from "#app/features/content/article-card.tsx";
import { ContactCard } from "#app/features/content/contact-card.tsx";
import { useHomeCrumb } from "#app/features/content/crumbs.ts";
import { contentMessages } from "#app/features/content/messages.ts";
import { othersAfter } from "#app/features/content/news-order.ts";
import { articleQuery, newsQuery } from "#app/features/content/news-queries.ts";
import { Reading } from "#app/features/content/reading.tsx";
import { foreignTag, useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useAnswer } from "#app/lib/query/api-query.ts";
import { publicPage } from "#app/lib/query/page.server.ts";
import { browserPage, type PageLoad } from "#app/lib/query/page.ts";
import { Seo, useOrigin } from "#app/lib/seo/seo.tsx";
import { article as articleThing, breadcrumbList, graph } from "#app/lib/seo/structured-data.ts";
import { summaryAbove } from "#app/lib/seo/summary-above.ts";
import { useSite } from "#app/lib/site/site-query.ts";
import { Breadcrumbs } from "#app/ui/breadcrumbs.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Link } from "#app/ui/link.tsx";
import { PHONE_PAGE, Picture, WIDE_WIDTHS } from "#app/ui/picture.tsx";

export { PageError as ErrorBoundary } from "#app/features/error/page-error.tsx";

const OTHERS = 3;

const load: PageLoad = async (read, { locale, params }) => {
  await Promise.all([read(articleQuery(locale, params.slug ?? "")), read(newsQuery(locale))]);
};

export const loader = publicPage(load);
export const clientLoader = browserPage(load);

export default function ArticlePage() {
  const locale = useLocale();
  const origin = useOrigin();
  const t = useMessages(contentMessages);
  const { settings } = useSite();
  const { slug = "" } = useParams();
  const article = useAnswer(articleQuery(locale, slug));
  const others = othersAfter(useAnswer(newsQuery(locale)).items, slug, OTHERS);
  const path = articlePath(article.slug);
  const crumbs = [useHomeCrumb(), { label: t.news, to: "/news" }];
  const lang = foreignTag(article.language, locale);
  const lead = summaryAbove(article.summary, article.body);
  return (
    <>
      <Seo
        title={article.title}
        suffix={settings.titleSuffix}
        description={article.summary}
        path={path}
        locales={article.locales}
        picture={article.image}
        publishedAt={article.publishedAt}
        indexed={lang === undefined}
        structuredData={graph(
          articleThing({ ...article, path }, settings, origin),
          breadcrumbList([...crumbs, { label: article.title, to: path }], { origin, locale }),
        )}
      />
      <article className="page-width pt-5 pb-20">
        <Breadcrumbs label={t.crumbs} crumbs={crumbs} />
        <header className="mt-6 flex max-w-3xl flex-col items-start lg:mt-12">
          <p className="flex flex-wrap items-center gap-x-3 text-sm text-muted">
            <PublishedOn article={article} />
            <span aria-hidden="true" className="size-1.5 rounded-full bg-sun-strong" />
            {t.minutes(article.minutes)}
          </p>
          <h1 className="mt-3 text-title" lang={lang}>
            {article.title}
          </h1>
          {lead ? (
            <p className="mt-5 max-w-[52ch] text-xl leading-relaxed text-muted" lang={lang}>
              {lead}
            </p>
          ) : null}
          {lang ? <p className="notice mt-5">{t.otherLanguage}</p> : null}
        </header>
        {article.image ? (
          <div className="mt-10 aspect-3/2 overflow-hidden rounded-card bg-sunk lg:aspect-2/1">
            <Picture
              picture={article.image}
              eager
              widths={WIDE_WIDTHS}
              sizes={`(min-width: 80rem) 75rem, ${PHONE_PAGE}`}
              className="size-full object-cover"
            />
          </div>
        ) : null}
        <div className="mt-12">
          <Reading text={article} lang={lang}>
            <ContactCard />
          </Reading>
        </div>
      </article>
      {others.length > 0 ? (
        <section aria-labelledby="other-news" className="bg-sunk">
          <div className="page-width py-14 lg:py-20">
            <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-3">
              <h2 id="other-news" className="text-heading">
                {t.otherNews}
              </h2>
              <Link to="/news" className="text-link icon-link">
                {t.allNews}
                <Icon name="arrow" className="size-4.5" />
              </Link>
            </div>
            <ul className="mt-8 grid gap-x-8 gap-y-12 sm:grid-cols-2 lg:grid-cols-3">
              {others.map((other) => (
                <li key={other.slug} className="sm:last:odd:max-lg:hidden">
                  <ArticleCard article={other} heading="h3" />
                </li>
              ))}
            </ul>
          </div>
        </section>
      ) : null}
    </>
  );
}
