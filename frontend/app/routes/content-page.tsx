import { redirect, useParams } from "react-router";
import { ContactCard } from "#app/features/content/contact-card.tsx";
import { docsIn } from "#app/features/content/doc-tree.ts";
import { contentMessages } from "#app/features/content/messages.ts";
import { PageHead } from "#app/features/content/page-head.tsx";
import { docQuery, pageQuery } from "#app/features/content/queries.ts";
import { Questions } from "#app/features/content/questions.tsx";
import { ReadOn } from "#app/features/content/read-on.tsx";
import { Reading } from "#app/features/content/reading.tsx";
import type { ContentPage as Page } from "#app/lib/api/types.ts";
import { Boundary } from "#app/lib/browser/boundary.tsx";
import { foreignTag, localizedPath, useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useAnswer, useOptionalAnswer } from "#app/lib/query/api-query.ts";
import { publicPage } from "#app/lib/query/page.server.ts";
import { browserPage, type PageLoad, readIfWritten } from "#app/lib/query/page.ts";
import { lazy } from "#app/lib/release/lazy.ts";
import { siteQuery, useSite } from "#app/lib/site/site-query.ts";
import { Landing, latestQuery } from "./landing.tsx";

export { PageError as ErrorBoundary } from "#app/features/error/page-error.tsx";

/** The slug of the page whose texts are shown on the site's home page, `/`. */
const HOME = "home";

/** Returns the place that a page introduces, if any. */
function introducedPlace<Place extends { slug: string }>(page: Page, places: readonly Place[]) {
  return places.find(({ slug }) => slug === page.location);
}

/** Loads any page written by the editors: guides, legal texts, services, introductions to places. */
const load: PageLoad = async (read, { locale, params }) => {
  const slug = params.page ?? "";
  if (slug === HOME) throw redirect(localizedPath(locale, "/"), 301);
  const [page, { locations }] = await Promise.all([
    read(pageQuery(locale, slug)),
    read(siteQuery(locale)),
    readIfWritten(read, docQuery(locale, "")),
  ]);
  const place = introducedPlace(page, locations);
  if (place) await read(latestQuery(locale, place.slug));
};

export const loader = publicPage(load);
export const clientLoader = browserPage(load);

/** Pages for sellers. */
const SELLING = ["selling-a-property", "marketing", "pricing"];

/** The one page that lists the data stored about visitors. */
const PRIVACY = "privacy";
const KeptData = lazy(() => import("#app/features/account/kept-data.tsx"));

export default function ContentPage() {
  const locale = useLocale();
  const { page: slug = "" } = useParams();
  const page = useAnswer(pageQuery(locale, slug));
  const place = introducedPlace(page, useSite().locations);
  return place ? <Landing page={page} place={place} /> : <TextPage page={page} />;
}

function TextPage({ page }: { page: Page }) {
  const locale = useLocale();
  const t = useMessages(contentMessages);
  const { slug } = page;
  const contents = useOptionalAnswer(docQuery(locale, ""))?.contents ?? [];
  const lang = foreignTag(page.language, locale);
  const guide = page.kind === "guide";
  // The guide `buying-a-property` links to the documentation part `buying`.
  const [subject = ""] = page.slug.split("-");
  return (
    <>
      <article className="pb-16">
        <Boundary>
          <PageHead page={page}>
            {guide ? <p className="text-muted">{t.minutes(page.minutes)}</p> : null}
          </PageHead>
        </Boundary>
        <div className="page-width mt-12">
          <Boundary>
            <Reading text={page} lang={lang}>
              {page.kind === "legal" ? null : <ContactCard selling={SELLING.includes(slug)} />}
            </Reading>
          </Boundary>
          {slug === PRIVACY ? (
            <Boundary>
              <KeptData />
            </Boundary>
          ) : null}
        </div>
      </article>
      <Boundary>
        <Questions questions={page.faq} lang={lang} followed={guide} />
        {guide ? <ReadOn docs={docsIn(contents, subject)} /> : null}
      </Boundary>
    </>
  );
}
