import { useId, useState } from "react";
import { formatPercent, formatPrice } from "#app/lib/format/format.ts";
import { decimalText, parseDecimal } from "#app/lib/format/parse-number.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import type { MortgageFigures } from "#app/lib/property/figures.ts";
import { costMessages } from "./messages.ts";
import { limitedTerm, maxYears, repayment } from "./mortgage.ts";
import { MAX_PRICE, NumberField, parseFigure } from "./number-field.tsx";
import { Sources } from "./sources.tsx";

const MAX_RATE = 20;
const AGES = { min: 18, max: 110 };

/** Calculates the monthly payments of a mortgage. */
export function MortgageCalculator({
  figures,
  price,
  onPrice,
  ...defaults
}: {
  figures: MortgageFigures;
  /** The price as typed, in this calculator or in the other one. */
  price: string;
  onPrice: (price: string) => void;
  /** The default deposit in euros, until another is typed. */
  deposit: number;
}) {
  const locale = useLocale();
  const t = useMessages(costMessages);
  const id = useId();
  const [typed, setDeposit] = useState<string>();
  const deposit = typed ?? String(defaults.deposit);
  const [age, setAge] = useState("");
  // `wantedYears` is the term that was typed, at first the default. `years` is limited by the age.
  const [wantedYears, setWantedYears] = useState(String(figures.years));
  const [years, setYears] = useState(wantedYears);
  const [rate, setRate] = useState(decimalText(locale, figures.annualRate));
  const lastAge = figures.lastAge?.value;
  const maxTerm = maxYears(parseAge(age), lastAge);
  const amount = parseFigure(price, 1, MAX_PRICE);
  const depositAmount = parseFigure(deposit, 0, amount ?? 0);
  const term = parseFigure(years, 1, maxTerm);
  const annualRate = parseFigure(rate, 0, MAX_RATE, parseDecimal);
  const isAgeValid = parseAge(age) !== undefined || age.trim() === "";
  const isValid =
    amount !== undefined &&
    depositAmount !== undefined &&
    term !== undefined &&
    annualRate !== undefined &&
    isAgeValid;
  const principal = isValid ? amount - depositAmount : 0;
  const result = isValid && repayment({ principal, years: term, annualRate });
  const euros = (value: number) => formatPrice(locale, value);
  const problem = () => {
    if (!isAgeValid) return t.unclearAge(AGES.min, AGES.max);
    return maxTerm > 0 ? t.unclear(maxTerm) : t.tooLate(lastAge ?? 0);
  };
  const changeAge = (text: string) => {
    setAge(text);
    setYears(limitedTerm(wantedYears, maxYears(parseAge(text), lastAge)));
  };
  const changeYears = (text: string) => {
    setWantedYears(text);
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
        {result ? (
          <>
            <p className="tabular-nums">
              <span className="font-display text-4xl">{euros(result.monthly)}</span>
              {` ${t.monthly}`}
            </p>
            <p className="mt-1 text-muted">
              {t.basis(euros(principal), term, formatPercent(locale, annualRate, 3))}
            </p>
            <dl className="mortgage-sums">
              <Sum name={t.loan} value={euros(principal)} />
              <Sum name={t.interest} value={euros(result.interest)} />
              <Sum name={t.repaid} value={euros(result.total)} />
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

/** Returns the borrower's age; undefined while the text is not a plausible age. */
function parseAge(typed: string): number | undefined {
  return parseFigure(typed, AGES.min, AGES.max);
}

function Sum({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
