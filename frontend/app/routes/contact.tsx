import { contactMessages } from "#app/features/contact/messages.ts";
import { ContactWays } from "#app/features/contact/ways.tsx";
import { PageHead } from "#app/features/content/page-head.tsx";
import { pageQuery } from "#app/features/content/queries.ts";
import { Questions } from "#app/features/content/questions.tsx";
import { EnquiryForm } from "#app/features/enquiry/enquiry-form.tsx";
import { foreignTag, useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useAnswer } from "#app/lib/query/api-query.ts";
import { publicPage } from "#app/lib/query/page.server.ts";
import { browserPage, type PageLoad } from "#app/lib/query/page.ts";
import { useOrigin } from "#app/lib/seo/seo.tsx";
import { estateAgent } from "#app/lib/seo/structured-data.ts";
import { useSite } from "#app/lib/site/site-query.ts";
import { Card } from "#app/ui/card.tsx";
import { Prose } from "#app/ui/prose.tsx";

export { PageError as ErrorBoundary } from "#app/features/error/page-error.tsx";

const SLUG = "contact-us";

const load: PageLoad = async (read, { locale }) => {
  await read(pageQuery(locale, SLUG));
};

export const loader = publicPage(load);
export const clientLoader = browserPage(load);

export default function Contact() {
  const locale = useLocale();
  const origin = useOrigin();
  const t = useMessages(contactMessages);
  const { settings } = useSite();
  const page = useAnswer(pageQuery(locale, SLUG));
  const lang = foreignTag(page.language, locale);
  return (
    <>
      <div className="pb-16">
        <PageHead page={page} about={estateAgent(settings, { origin, locale })} />
        <div className="page-width mt-10 grid grid-cols-1 gap-x-16 gap-y-12 lg:grid-cols-[1.3fr_1fr] lg:items-start">
          <Card as="section" aria-labelledby="write" className="relative overflow-clip p-6 sm:p-8">
            <h2 id="write" className="mb-5 text-heading">
              {t.write}
            </h2>
            <EnquiryForm kind="general" />
          </Card>
          <ContactWays />
        </div>
        <div className="page-width mt-16">
          <Prose html={page.body} lang={lang} />
        </div>
      </div>
      <Questions questions={page.faq} lang={lang} />
    </>
  );
}
