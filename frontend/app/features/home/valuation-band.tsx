import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useAnswer } from "#app/lib/query/api-query.ts";
import { promisesQuery } from "#app/lib/site/promises.ts";
import { buttonStyle } from "#app/ui/button.tsx";
import { Link } from "#app/ui/link.tsx";
import { homeMessages } from "./messages.ts";

/** A literal, so that the home page doesn't load the code of the forms. */
const VALUATION = "/enquiry?kind=valuation";

/** The diameter of the decorative sun. */
const SUN = "clamp(12rem, 22vw, 20rem)";
/** Its offset below the bottom edge, which hides almost half of it. */
const SUN_BOTTOM = `calc(${SUN} / -2.2)`;

/** Offers sellers a valuation of their home, beside a decorative setting sun. */
export function ValuationBand({ className }: { className: string }) {
  const t = useMessages(homeMessages);
  const { valuation } = useAnswer(promisesQuery(useLocale()));
  return (
    <div className={className}>
      <section
        aria-labelledby="worth"
        className="relative rounded-card bg-sun-wash px-6 py-10 sm:px-10 lg:px-14 lg:py-14"
      >
        <span aria-hidden="true" className="absolute inset-0 overflow-hidden rounded-card">
          <span
            className="absolute rounded-full bg-sun"
            style={{
              insetInlineEnd: "calc(12% - 6rem)",
              bottom: SUN_BOTTOM,
              width: SUN,
              height: SUN,
            }}
          />
        </span>
        <div className="relative max-w-[40rem]">
          <h2 id="worth" className="text-title">
            {t.worth}
          </h2>
          <p className="mt-4 max-w-[42ch] text-lg">
            {t.worthText} {valuation}
          </p>
          {/* Stacked on phones: side by side, they would overlap the sun. */}
          <p className="mt-7 flex flex-col items-start gap-x-6 gap-y-3 sm:flex-row sm:flex-wrap sm:items-center">
            <Link to={VALUATION} className={buttonStyle.primary}>
              {t.worthButton}
            </Link>
            <Link to="/selling-a-property" className="text-link py-2 font-medium">
              {t.selling}
            </Link>
          </p>
        </div>
      </section>
    </div>
  );
}
