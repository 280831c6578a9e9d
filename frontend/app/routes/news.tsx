import { useSearchParams } from "react-router";
import { ArticleCard } from "#app/features/content/article-card.tsx";
import { contentMessages } from "#app/features/content/messages.ts";
import { newsQuery } from "#app/features/content/news-queries.ts";
import { PageHead } from "#app/features/content/page-head.tsx";
import { pageQuery } from "#app/features/content/queries.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useAnswer } from "#app/lib/query/api-query.ts";
import { publicPage } from "#app/lib/query/page.server.ts";
import { browserPage, notFound, type PageLoad } from "#app/lib/query/page.ts";
import { pageOf, pagesOf } from "#app/lib/search/search-params.ts";
import Pagination from "#app/ui/pagination.tsx";

export { PageError as ErrorBoundary } from "#app/features/error/page-error.tsx";

const load: PageLoad = async (read, { locale, url }) => {
  const part = pageOf(url.searchParams);
  const [, { items }] = await Promise.all([
    read(pageQuery(locale, "news")),
    read(newsQuery(locale, part)),
  ]);
  if (part > 1 && items.length === 0) throw notFound();
};

export const loader = publicPage(load);
export const clientLoader = browserPage(load);

export default function News() {
  const locale = useLocale();
  const t = useMessages(contentMessages);
  const page = useAnswer(pageQuery(locale, "news"));
  const [query] = useSearchParams();
  const part = pageOf(query);
  const { items, total, perPage } = useAnswer(newsQuery(locale, part));
  const [first, ...others] = items;
  return (
    <div className="pb-20">
      <PageHead page={page} part={part} shared={first?.image} />
      <div className="page-width mt-8 flex flex-col gap-16">
        {first ? <ArticleCard article={first} lead /> : <p>{t.newsSoon}</p>}
        <ul className="grid gap-x-8 gap-y-14 sm:grid-cols-2 lg:grid-cols-3">
          {others.map((article) => (
            <li key={article.slug}>
              <ArticleCard article={article} />
            </li>
          ))}
        </ul>
        <Pagination
          page={part}
          pages={pagesOf(total, perPage)}
          to={(number) => (number > 1 ? `/news?page=${number}` : "/news")}
        />
      </div>
    </div>
  );
}
