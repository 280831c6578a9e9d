import type { Article } from "#app/lib/api/types.ts";
import { formatDate } from "#app/lib/format/date.ts";
import { foreignTag, useLocale } from "#app/lib/i18n/locale.ts";
import { Link } from "#app/ui/link.tsx";
import { PHONE_PAGE, Picture } from "#app/ui/picture.tsx";

/** Returns the path of an article without the language prefix. */
export function articlePath(slug: string): string {
  return `/news/${slug}`;
}

interface ArticleCardProps {
  article: Article;
  heading?: "h2" | "h3";
  /** Whether this is the first article of a page, shown at full width. */
  lead?: boolean;
}

/** An article in a list; the whole card is a link. */
export function ArticleCard({ article, heading: Heading = "h2", lead = false }: ArticleCardProps) {
  const locale = useLocale();
  const lang = foreignTag(article.language, locale);
  return (
    <article
      className={`group relative flex h-full flex-col gap-5 ${lead ? "lg:grid lg:grid-cols-[1.4fr_1fr] lg:items-center lg:gap-14" : ""}`}
    >
      <div className="aspect-3/2 overflow-hidden rounded-card bg-sunk">
        {article.image ? (
          <Picture
            picture={article.image}
            eager={lead}
            sizes={
              lead
                ? `(min-width: 64rem) 42rem, ${PHONE_PAGE}`
                : `(min-width: 80rem) 24rem, (min-width: 64rem) 30vw, (min-width: 40rem) 45vw, ${PHONE_PAGE}`
            }
            className="zoom"
          />
        ) : null}
      </div>
      <div>
        <PublishedOn article={article} />
        <Heading className={`mt-1.5 ${lead ? "text-heading" : "text-2xl"}`} lang={lang}>
          <Link
            to={articlePath(article.slug)}
            className="decoration-sun-strong decoration-2 underline-offset-4 group-hover:underline spread-link"
          >
            {article.title}
          </Link>
        </Heading>
        <p className={`mt-2.5 text-muted ${lead ? "max-w-[52ch] text-lg" : ""}`} lang={lang}>
          {article.summary}
        </p>
      </div>
    </article>
  );
}

export function PublishedOn({ article }: { article: Article }) {
  const locale = useLocale();
  if (!article.publishedAt) return null;
  return (
    <time dateTime={article.publishedAt} className="text-sm text-muted">
      {formatDate(locale, article.publishedAt)}
    </time>
  );
}
