import { useId, useState } from "react";
import { formatPercent, formatPrice } from "#app/lib/format/format.ts";
import { decimalText, writtenDecimal } from "#app/lib/format/written-number.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import type { MortgageFigures } from "#app/lib/property/figures.ts";
import { costMessages } from "./messages.ts";
import { maxYears, repayment, termWithin } from "./mortgage.ts";
import { figureIn, NumberField } from "./number-field.tsx";
import { Sources } from "./sources.tsx";

const MAX_PRICE = 100_000_000;
const MAX_RATE = 20;
const AGES = { least: 18, most: 110 };

/** What a loan for a price comes to in a month. */
export function MortgageCalculator({
  figures,
  price,
  onPrice,
  ...at
}: {
  figures: MortgageFigures;
  /** As it is typed, in this calculator or another. */
  price: string;
  onPrice: (price: string) => void;
  /** What is usually brought along, in euros, until another sum is typed. */
  deposit: number;
}) {
  const locale = useLocale();
  const t = useMessages(costMessages);
  const id = useId();
  const [typed, setDeposit] = useState<string>();
  const deposit = typed ?? String(at.deposit);
  const [age, setAge] = useState("");
  // The term that was asked for, the usual one at first, and what the age leaves of it.
  const [asked, setAsked] = useState(String(figures.years));
  const [years, setYears] = useState(asked);
  const [rate, setRate] = useState(decimalText(locale, figures.annualRate));
  const lastAge = figures.lastAge?.value;
  const longest = maxYears(ageIn(age), lastAge);
  const amount = figureIn(price, 1, MAX_PRICE);
  const brought = figureIn(deposit, 0, amount ?? 0);
  const term = figureIn(years, 1, longest);
  const annualRate = figureIn(rate, 0, MAX_RATE, writtenDecimal);
  const isAge = ageIn(age) !== undefined || age.trim() === "";
  const clear =
    amount !== undefined &&
    brought !== undefined &&
    term !== undefined &&
    annualRate !== undefined &&
    isAge;
  const principal = clear ? amount - brought : 0;
  const paid = clear && repayment({ principal, years: term, annualRate });
  const euros = (value: number) => formatPrice(locale, value);
  const problem = () => {
    if (!isAge) return t.unclearAge(AGES.least, AGES.most);
    return longest > 0 ? t.unclear(longest) : t.tooLate(lastAge ?? 0);
  };
  const changeAge = (text: string) => {
    setAge(text);
    setYears(termWithin(asked, maxYears(ageIn(text), lastAge)));
  };
  const changeYears = (text: string) => {
    setAsked(text);
    setYears(text);
  };
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="text-2xl">
        {t.mortgage}
      </h3>
      <form
        className="mt-4 grid grid-cols-2 gap-4 text-sm noscript:hidden"
        onSubmit={(event) => event.preventDefault()}
      >
        <div className="col-span-2">
          <NumberField label={t.price} unit="€" value={price} onChange={onPrice} />
        </div>
        <NumberField label={t.deposit} unit="€" value={deposit} onChange={setDeposit} />
        <NumberField label={t.interestRate} unit="%" value={rate} onChange={setRate} />
        <NumberField label={t.age} value={age} onChange={changeAge} />
        <NumberField label={t.years} value={years} onChange={changeYears} />
      </form>
      <output className="mt-5 block">
        {paid ? (
          <>
            <p className="tabular-nums">
              <span className="font-display text-4xl">{euros(paid.monthly)}</span> {t.monthly}
            </p>
            <p className="mt-1 text-muted">
              {t.basis(euros(principal), term, formatPercent(locale, annualRate, 3))}
            </p>
            <dl className="mortgage-sums">
              <Sum name={t.loan} value={euros(principal)} />
              <Sum name={t.interest} value={euros(paid.interest)} />
              <Sum name={t.repaid} value={euros(paid.total)} />
            </dl>
          </>
        ) : (
          <p>{problem()}</p>
        )}
      </output>
      <p className="mt-4 text-sm text-muted">
        {lastAge === undefined ? t.mortgageCaution : `${t.mortgageCaution} ${t.lastAge(lastAge)}`}
      </p>
      <Sources
        sources={figures.sources}
        figures={[
          figures.example,
          ...(figures.lastAge ? [figures.lastAge] : []),
          ...(figures.leastPrice ? [figures.leastPrice] : []),
        ]}
      />
    </section>
  );
}

/** An age that a borrower can have; none while it is being typed. */
function ageIn(typed: string): number | undefined {
  return figureIn(typed, AGES.least, AGES.most);
}

function Sum({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
