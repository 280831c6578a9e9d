import type { EnquiryAnswer, EnquiryKind } from "#app/lib/enquiry/enquiry.ts";
import { foreignTag, useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { propertyPath, propertyQuery } from "#app/lib/property/queries.ts";
import { useAnswer } from "#app/lib/query/api-query.ts";
import { Seo } from "#app/lib/seo/seo.tsx";
import { promisesQuery } from "#app/lib/site/promises.ts";
import { useSite } from "#app/lib/site/site-query.ts";
import { Card } from "#app/ui/card.tsx";
import { Link } from "#app/ui/link.tsx";
import { Picture } from "#app/ui/picture.tsx";
import { EnquiryForm } from "./enquiry-form.tsx";
import { HomeEnquiry } from "./home-enquiry.tsx";
import { enquiryPageMessages } from "./messages.ts";
import { useViewingFields } from "./proposed-times.tsx";
import { useValuationFields } from "./valuation-fields.tsx";

interface EnquiryPageProps {
  kind: EnquiryKind;
  reference: string | undefined;
  answer: EnquiryAnswer | undefined;
}

/** The page of an enquiry form. */
export function EnquiryPage({ kind, reference, answer }: EnquiryPageProps) {
  const t = useMessages(enquiryPageMessages);
  const { settings } = useSite();
  const promises = useAnswer(promisesQuery(useLocale()));
  const valuation = kind === "valuation";
  const lead = valuation ? `${t.valuationLead} ${promises.valuation}` : promises.answer;
  return (
    <>
      <Seo
        title={t[kind]}
        description={lead || t[kind]}
        suffix={settings.titleSuffix}
        path="/enquiry"
        indexed={false}
      />
      <div className="page-width grid grid-cols-1 gap-x-16 gap-y-8 py-10 sm:py-14 lg:grid-cols-[1fr_1.4fr] lg:items-start">
        <header>
          <h1 className="text-title">{t[kind]}</h1>
          {lead ? <p className="mt-4 max-w-[48ch] text-lg text-muted">{lead}</p> : null}
          {reference ? <HomeSummary reference={reference} /> : null}
        </header>
        <Card className="relative overflow-clip p-6 sm:p-8">
          {reference && kind === "property" ? (
            <HomeForm reference={reference} answer={answer} />
          ) : valuation ? (
            <ValuationForm answer={answer} />
          ) : kind === "viewing" ? (
            <ViewingForm reference={reference} answer={answer} />
          ) : (
            <EnquiryForm kind={kind} reference={reference} answer={answer} />
          )}
        </Card>
      </div>
    </>
  );
}

function ValuationForm({ answer }: { answer: EnquiryAnswer | undefined }) {
  return <EnquiryForm kind="valuation" answer={answer} own={useValuationFields()} />;
}

interface ViewingFormProps {
  reference: string | undefined;
  answer: EnquiryAnswer | undefined;
}

function ViewingForm(props: ViewingFormProps) {
  return <EnquiryForm kind="viewing" own={useViewingFields()} {...props} />;
}

/** Keeps the last known data of a home that is withdrawn while the page is open, so that the form stays. */
function useHome(reference: string) {
  return useAnswer(propertyQuery(useLocale(), reference), true);
}

interface HomeFormProps {
  reference: string;
  answer: EnquiryAnswer | undefined;
}

function HomeForm({ reference, answer }: HomeFormProps) {
  return <HomeEnquiry property={useHome(reference)} answer={answer} />;
}

function HomeSummary({ reference }: { reference: string }) {
  const home = useHome(reference);
  const lang = foreignTag(home.language, useLocale());
  const [picture] = home.images;
  return (
    <Link to={propertyPath(home)} className="mt-8 block max-w-md hover:underline">
      {picture ? (
        <Picture
          picture={picture}
          widths={[320, 480, 640]}
          sizes="(min-width: 30rem) 28rem, 90vw"
          className="aspect-3/2 w-full rounded-card object-cover"
        />
      ) : null}
      <span className="mt-3 block text-sm text-muted">{home.ref}</span>
      <span lang={lang} className="block text-xl">
        {home.title}
      </span>
    </Link>
  );
}
