import { useState } from "react";
import type { PropertyDetail } from "#app/lib/api/types.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import {
  figuresQuery,
  type MortgageFigures,
  type PurchaseFigures,
} from "#app/lib/property/figures.ts";
import { useAnswer } from "#app/lib/query/api-query.ts";
import { Card } from "#app/ui/card.tsx";
import { type Noun, nounOf } from "../noun.ts";
import { costMessages } from "./messages.ts";
import { usualDeposit } from "./mortgage.ts";
import { MortgageCalculator } from "./mortgage-calculator.tsx";
import { PurchaseCalculator } from "./purchase-calculator.tsx";

/** Properties for which no bank gives a mortgage. */
const WITHOUT_MORTGAGE: readonly Noun[] = ["garage", "land"];

/** The purchase and mortgage calculators, each shown only if the editors entered the figures it needs. */
export default function Costs({ property }: { property: PropertyDetail }) {
  const locale = useLocale();
  const t = useMessages(costMessages);
  const { purchase, mortgage } = useAnswer(figuresQuery(locale));
  const { price, newBuild, kind } = property;
  const noun = nounOf(kind);
  if (!price || property.status === "sold") return null;
  const isMortgageable =
    !WITHOUT_MORTGAGE.includes(noun) && price >= (mortgage?.leastPrice?.value ?? 0);
  if (!purchase && !(mortgage && isMortgageable)) return null;
  return (
    <section aria-labelledby="money" className="page-width pb-16 print:hidden">
      <h2 id="money" className="text-title">
        {t.title}
      </h2>
      <p className="mt-3 text-lg text-muted">{t.lead}</p>
      <Calculators
        purchase={purchase}
        mortgage={isMortgageable ? mortgage : undefined}
        askingPrice={price}
        newBuild={newBuild}
        home={noun === "home"}
      />
    </section>
  );
}

interface CalculatorsProps {
  purchase: PurchaseFigures | undefined;
  mortgage: MortgageFigures | undefined;
  /** The asking price of the property. */
  askingPrice: number;
  newBuild: boolean;
  home: boolean;
}

/** Both calculators share one price: the asking price, also when it changes, until another is typed. */
function Calculators({ purchase, mortgage, askingPrice, newBuild, home }: CalculatorsProps) {
  const [typed, setPrice] = useState<string>();
  const price = typed ?? String(askingPrice);
  return (
    <div
      className={`mt-8 grid items-start gap-5 ${purchase && mortgage ? "lg:grid-cols-2" : "max-w-2xl"}`}
    >
      {purchase ? (
        <Card className="p-5 sm:p-7">
          <PurchaseCalculator
            figures={purchase}
            price={price}
            onPrice={setPrice}
            newBuild={newBuild}
            home={home}
          />
        </Card>
      ) : null}
      {mortgage ? (
        <Card className="p-5 sm:p-7">
          <MortgageCalculator
            figures={mortgage}
            price={price}
            onPrice={setPrice}
            deposit={usualDeposit(askingPrice)}
          />
        </Card>
      ) : null}
    </div>
  );
}
