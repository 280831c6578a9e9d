import { type ComponentProps, useId, useRef, useState } from "react";
import { useValueBeforeHydration } from "#app/lib/browser/use-value-before-hydration.ts";
import { formatPercent, formatPrice } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import type { Band, Figure, PurchaseFigures } from "#app/lib/property/figures.ts";
import { Select } from "#app/ui/select.tsx";
import { costMessages } from "./messages.ts";
import { MAX_PRICE, NumberField, parseFigure } from "./number-field.tsx";
import { applicableRates, purchaseCosts } from "./purchase-costs.ts";
import { Sources } from "./sources.tsx";

interface PurchaseCalculatorProps {
  figures: PurchaseFigures;
  /** The price as typed, in this calculator or in the other one. */
  price: string;
  onPrice: (price: string) => void;
  newBuild: boolean;
  home: boolean;
}

/** Calculates taxes, notary and registry fees on top of a price, in Andalusia. */
export function PurchaseCalculator({
  figures,
  price,
  onPrice,
  home,
  ...defaults
}: PurchaseCalculatorProps) {
  const locale = useLocale();
  const t = useMessages(costMessages);
  const id = useId();
  const [chosen, setNewBuild] = useState<boolean>();
  const newBuild = chosen ?? defaults.newBuild;
  const [transferRate, setTransferRate] = useState(figures.transfer[0].key);
  const amount = parseFigure(price, 1, MAX_PRICE);
  const rates = applicableRates(amount ?? 0, home, figures);
  const costs = amount && purchaseCosts({ price: amount, newBuild, home, transferRate }, figures);
  const euros = (value: number) => formatPrice(locale, value);
  const percent = ({ value }: Figure) => formatPercent(locale, value, 3);
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="text-2xl">
        {t.purchase}
      </h3>
      <form
        className="mt-4 grid gap-4 text-sm noscript:hidden sm:grid-cols-2"
        onSubmit={(event) => event.preventDefault()}
      >
        <NumberField label={t.price} unit="€" value={price} onChange={onPrice} />
        {home ? null : (
          <Choice
            label={t.taxed}
            value={newBuild ? "new" : "resale"}
            onChange={(value) => setNewBuild(value === "new")}
            options={[
              { value: "resale", label: t.transferTax },
              { value: "new", label: t.firstSale },
            ]}
          />
        )}
        {!newBuild && rates.length > 1 ? (
          <div className="sm:col-span-2">
            <Choice
              label={t.transferRate}
              value={transferRate}
              onChange={setTransferRate}
              options={rates.map((rate) => ({
                value: rate.key,
                label: t.rate(percent(rate), rate.label),
              }))}
            />
          </div>
        ) : null}
      </form>
      <output className="mt-5 block">
        {amount && costs ? (
          <dl className="sum">
            {costs.taxes.map(({ figure, amount: due }) => (
              <Line
                key={figure.label}
                name={`${figure.label} (${percent(figure)})`}
                value={euros(due)}
              />
            ))}
            <Line name={t.notary} value={euros(costs.notary)} />
            <Line name={t.registry} value={euros(costs.registry)} />
            {costs.lawyer !== undefined && figures.lawyer ? (
              <Line
                name={`${figures.lawyer.label} (${percent(figures.lawyer)})`}
                value={euros(costs.lawyer)}
              />
            ) : null}
            {costs.feesVat !== undefined && figures.feesVat ? (
              <Line
                name={`${figures.feesVat.label} (${percent(figures.feesVat)})`}
                value={euros(costs.feesVat)}
              />
            ) : null}
            <Line name={t.costs} value={euros(costs.total)} strong />
            <Line name={t.together} value={euros(amount + costs.total)} strong />
          </dl>
        ) : (
          <p>{t.unclearPrice}</p>
        )}
      </output>
      <p className="mt-4 text-sm text-muted">
        {newBuild ? t.caution : `${t.cautionTransfer} ${t.caution}`}
      </p>
      <Sources
        sources={figures.sources}
        figures={[
          ...figures.transfer,
          figures.homeVat,
          figures.otherVat,
          figures.stampDuty,
          figures.notary.base,
          ...figures.notary.bands.map(inThousandths),
          figures.registry.base,
          ...figures.registry.bands.map(inThousandths),
          ...(figures.registry.most ? [figures.registry.most] : []),
          ...(figures.lawyer ? [figures.lawyer] : []),
          ...(figures.feesVat ? [figures.feesVat] : []),
        ]}
      />
    </section>
  );
}

const inThousandths = (band: Band): Figure => ({ ...band, unit: "‰" });

interface ChoiceProps extends Pick<ComponentProps<typeof Select>, "label" | "options"> {
  value: string;
  onChange: (value: string) => void;
}

function Choice({ value, onChange, ...rest }: ChoiceProps) {
  const field = useRef<HTMLSelectElement>(null);
  useValueBeforeHydration(field, value, onChange);
  return (
    <Select
      ref={field}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      {...rest}
    />
  );
}

function Line({ name, value, strong = false }: { name: string; value: string; strong?: boolean }) {
  const className = strong ? "strong" : undefined;
  return (
    <>
      <dt className={className}>{name}</dt>
      <dd className={className}>{value}</dd>
    </>
  );
}
