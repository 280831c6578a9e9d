import { ContactCard } from "#app/features/content/contact-card.tsx";
import { PageHead } from "#app/features/content/page-head.tsx";
import { slugOfPath, usePageSlug } from "#app/features/content/page-slug.ts";
import { pageQuery } from "#app/features/content/queries.ts";
import { Questions } from "#app/features/content/questions.tsx";
import { Reading } from "#app/features/content/reading.tsx";
import { teamQuery, useTeam } from "#app/features/team/queries.ts";
import { TeamSection } from "#app/features/team/team-section.tsx";
import { foreignTag, useLocale } from "#app/lib/i18n/locale.ts";
import { useAnswer } from "#app/lib/query/api-query.ts";
import { publicPage } from "#app/lib/query/page.server.ts";
import { browserPage, type PageLoad } from "#app/lib/query/page.ts";

export { PageError as ErrorBoundary } from "#app/features/error/page-error.tsx";

/** Loads a page that also presents the team: "about us" or "property administration". */
const load: PageLoad = async (read, { locale, url }) => {
  await Promise.all([read(pageQuery(locale, slugOfPath(url.pathname))), read(teamQuery(locale))]);
};

export const loader = publicPage(load);
export const clientLoader = browserPage(load);

export default function TeamPage() {
  const locale = useLocale();
  const slug = usePageSlug();
  const page = useAnswer(pageQuery(locale, slug));
  const team = useTeam(slug);
  const lang = foreignTag(page.language, locale);
  return (
    <>
      <article className="pb-16">
        <PageHead page={page} />
        <div className="page-width mt-12">
          <Reading text={page} lang={lang}>
            <ContactCard />
          </Reading>
        </div>
      </article>
      <TeamSection members={team} />
      <Questions questions={page.faq} lang={lang} />
    </>
  );
}
