import { ArticleCard } from "#app/features/content/article-card.tsx";
import { ContentHead } from "#app/features/content/content-head.tsx";
import { useHomeCrumb } from "#app/features/content/crumbs.ts";
import { contentMessages } from "#app/features/content/messages.ts";
import { newsQuery, pageQuery } from "#app/features/content/queries.ts";
import { foreignTag } from "#app/features/content/text-language.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useAnswer } from "#app/lib/query/api-query.ts";
import { publicPage } from "#app/lib/query/page.server.ts";
import { browserPage, type PageLoad } from "#app/lib/query/page.ts";
import { Seo, useOrigin } from "#app/lib/seo/seo.tsx";
import { breadcrumbList, graph } from "#app/lib/seo/structured-data.ts";
import { useSite } from "#app/lib/site/site-query.ts";

export { PageError as ErrorBoundary } from "#app/features/error/page-error.tsx";

const load: PageLoad = async (read, { locale }) => {
  await Promise.all([read(pageQuery(locale, "news")), read(newsQuery(locale))]);
};

export const loader = publicPage(load);
export const clientLoader = browserPage(load);

export default function News() {
  const locale = useLocale();
  const origin = useOrigin();
  const t = useMessages(contentMessages);
  const { settings } = useSite();
  const crumbs = [useHomeCrumb()];
  const page = useAnswer(pageQuery(locale, "news"));
  const lang = foreignTag(page.language, locale);
  const [newest, ...others] = useAnswer(newsQuery(locale)).items;
  return (
    <div className="pb-20">
      <Seo
        title={page.title}
        suffix={settings.titleSuffix}
        description={page.metaDescription || page.intro}
        path="/news"
        locales={page.locales}
        indexed={lang === undefined}
        picture={newest?.image}
        structuredData={graph(
          breadcrumbList([...crumbs, { label: t.news, to: "/news" }], { origin, locale }),
        )}
      />
      <ContentHead crumbs={crumbs} title={page.title} intro={page.intro} lang={lang} />
      <div className="page-width mt-8">
        {newest ? <ArticleCard article={newest} lead /> : <p>{t.newsSoon}</p>}
        <ul className="mt-16 grid gap-x-8 gap-y-14 sm:grid-cols-2 lg:grid-cols-3">
          {others.map((article) => (
            <li key={article.slug}>
              <ArticleCard article={article} />
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
