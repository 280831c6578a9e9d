import { ArticleCard } from "#app/features/content/article-card.tsx";
import { contentMessages } from "#app/features/content/messages.ts";
import { PageHead } from "#app/features/content/page-head.tsx";
import { newsQuery, pageQuery } from "#app/features/content/queries.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useAnswer } from "#app/lib/query/api-query.ts";
import { publicPage } from "#app/lib/query/page.server.ts";
import { browserPage, type PageLoad } from "#app/lib/query/page.ts";

export { PageError as ErrorBoundary } from "#app/features/error/page-error.tsx";

const load: PageLoad = async (read, { locale }) => {
  await Promise.all([read(pageQuery(locale, "news")), read(newsQuery(locale))]);
};

export const loader = publicPage(load);
export const clientLoader = browserPage(load);

export default function News() {
  const locale = useLocale();
  const t = useMessages(contentMessages);
  const page = useAnswer(pageQuery(locale, "news"));
  const [newest, ...others] = useAnswer(newsQuery(locale)).items;
  return (
    <div className="pb-20">
      <PageHead page={page} shared={newest?.image} />
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
