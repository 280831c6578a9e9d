import type { PropertyDetail } from "#app/lib/api/types.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useAnswer } from "#app/lib/query/api-query.ts";
import { figuresQuery } from "../queries.ts";
import { mortgageFigures, purchaseFigures } from "./figures.ts";
import { costMessages } from "./messages.ts";
import { MortgageCalculator } from "./mortgage-calculator.tsx";
import { PurchaseCalculator } from "./purchase-calculator.tsx";

/** The whole bill and the monthly one, as far as the editors' figures go. */
export function Money({ property }: { property: PropertyDetail }) {
  const locale = useLocale();
  const t = useMessages(costMessages);
  const raw = useAnswer(figuresQuery(locale)).figures;
  const purchase = purchaseFigures(raw);
  const mortgage = mortgageFigures(raw);
  const { price, newBuild, propertyType, ref } = property;
  if (!price || property.status === "sold" || !(purchase || mortgage)) return null;
  const card = "rounded-card border border-line bg-surface p-5 sm:p-7";
  return (
    <section aria-labelledby="money" className="page-width pb-16 print:hidden">
      <h2 id="money" className="text-title">
        {t.title}
      </h2>
      <p className="mt-3 text-lg text-muted">{t.lead}</p>
      {/* Another home, or another price of this one, starts from its own figures. */}
      <div key={`${ref} ${price}`} className="mt-8 grid items-start gap-5 lg:grid-cols-2">
        {purchase ? (
          <div className={card}>
            <PurchaseCalculator
              figures={purchase}
              price={price}
              newBuild={newBuild}
              home={propertyType !== "Commercial"}
            />
          </div>
        ) : null}
        {mortgage ? (
          <div className={card}>
            <MortgageCalculator figures={mortgage} price={price} />
          </div>
        ) : null}
      </div>
    </section>
  );
}
