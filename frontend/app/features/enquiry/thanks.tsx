import { AfterHydration } from "#app/lib/browser/after-hydration.tsx";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useOptionalAnswer } from "#app/lib/query/api-query.ts";
import { lazy } from "#app/lib/release/lazy.ts";
import { Seo } from "#app/lib/seo/seo.tsx";
import { promisesQuery } from "#app/lib/site/promises.ts";
import { useSite } from "#app/lib/site/site-query.ts";
import { buttonStyle } from "#app/ui/button.tsx";
import { Link } from "#app/ui/link.tsx";
import { enquiryPageMessages } from "./messages.ts";

/** Lazy: the remembered sender is known only in the browser. */
const RememberedSender = lazy(() => import("./remembered-sender.tsx"));

/** The page after an enquiry: confirms its arrival, shows its reference, and says what happens next. */
export function Thanks({ reference }: { reference: string | undefined }) {
  const t = useMessages(enquiryPageMessages);
  const { settings } = useSite();
  const answer = useOptionalAnswer(promisesQuery(useLocale()))?.answer;
  return (
    <div className="page-width py-14 sm:py-20">
      <Seo
        title={t.thanks}
        description={t.thanksLead}
        suffix={settings.titleSuffix}
        path="/enquiry/thanks"
        indexed={false}
      />
      <h1 className="text-title">{t.thanks}</h1>
      <p className="mt-5 max-w-[56ch] text-lg">
        {[t.thanksLead, answer, t.confirmation].filter(Boolean).join(" ")}
      </p>
      {reference ? (
        <p className="mt-5 text-lg">
          {t.reference} <strong className="whitespace-nowrap tabular-nums">{reference}</strong>
        </p>
      ) : null}
      <Link to="/property-for-sale" className={`${buttonStyle.primary} mt-8`}>
        {t.onward}
      </Link>
      <AfterHydration>
        <RememberedSender />
      </AfterHydration>
    </div>
  );
}
