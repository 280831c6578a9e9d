import { AskCard } from "#app/features/content/ask-card.tsx";
import { ContentHead } from "#app/features/content/content-head.tsx";
import { useHomeCrumb } from "#app/features/content/crumbs.ts";
import { ownSlug, useOwnSlug } from "#app/features/content/own-slug.ts";
import { PageSeo } from "#app/features/content/page-seo.tsx";
import { pageQuery } from "#app/features/content/queries.ts";
import { Questions } from "#app/features/content/questions.tsx";
import { Reading } from "#app/features/content/reading.tsx";
import { foreignTag } from "#app/features/content/text-language.ts";
import { teamQuery, useTeam } from "#app/features/team/queries.ts";
import { TeamSection } from "#app/features/team/team-section.tsx";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useAnswer } from "#app/lib/query/api-query.ts";
import { publicPage } from "#app/lib/query/page.server.ts";
import { browserPage, type PageLoad } from "#app/lib/query/page.ts";

export { PageError as ErrorBoundary } from "#app/features/error/page-error.tsx";

/** A page that presents the people too: about us, and the administration. */
const load: PageLoad = async (read, { locale, url }) => {
  await Promise.all([read(pageQuery(locale, ownSlug(url.pathname))), read(teamQuery(locale))]);
};

export const loader = publicPage(load);
export const clientLoader = browserPage(load);

export default function TeamPage() {
  const locale = useLocale();
  const slug = useOwnSlug();
  const page = useAnswer(pageQuery(locale, slug));
  const team = useTeam(slug);
  const crumbs = [useHomeCrumb()];
  const lang = foreignTag(page.language, locale);
  return (
    <>
      <PageSeo page={page} crumbs={crumbs} />
      <article className="pb-16">
        <ContentHead
          crumbs={crumbs}
          title={page.title}
          intro={page.intro}
          lang={lang}
          picture={page.image}
        />
        <div className="page-width mt-12">
          <Reading text={page} lang={lang}>
            <AskCard />
          </Reading>
        </div>
      </article>
      <TeamSection members={team} />
      <Questions questions={page.faq} lang={lang} />
    </>
  );
}
