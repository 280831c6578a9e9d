import type { PropertyDetail } from "#app/lib/api/types.ts";
import { formatPrice } from "#app/lib/format/format.ts";
import { type Locale, useLocale } from "#app/lib/i18n/locale.ts";
import { messagesFor, useMessages } from "#app/lib/i18n/messages.ts";
import { sectionMessages } from "../facts/section-messages.ts";

type Costs = PropertyDetail["annualCosts"];

interface Cost {
  readonly name: string;
  /** Euros a year. */
  readonly value: number;
}

/** Returns the known yearly costs of ownership, and their total if there are several. */
export function annualCostsOf(
  costs: Costs,
  locale: Locale,
): { known: readonly Cost[]; total: Cost | undefined } {
  const d = messagesFor(sectionMessages, locale);
  const rows: [string, number | null | undefined][] = [
    [d.communityFees, costs.communityFees],
    [d.ibi, costs.ibi],
    [d.garbage, costs.garbage],
  ];
  const known = rows.flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [{ name, value }],
  );
  const total = {
    name: typeof costs.ibi === "number" ? d.costsTotal : d.costsTotalWithoutIbi,
    value: known.reduce((sum, { value }) => sum + value, 0),
  };
  return { known, total: known.length > 1 ? total : undefined };
}

/** A table of the known yearly costs of ownership. */
export function AnnualCosts({ costs }: { costs: Costs }) {
  const locale = useLocale();
  const d = useMessages(sectionMessages);
  const { known, total } = annualCostsOf(costs, locale);
  if (known.length === 0) return null;
  return (
    <section aria-labelledby="costs" className="break-inside-avoid">
      <h2 id="costs" className="text-heading">
        {d.costs}
      </h2>
      <p className="mt-3 text-muted print:hidden">{d.costsText}</p>
      <table className="figures">
        <tbody>
          {known.map(({ name, value }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{formatPrice(locale, value)}</td>
            </tr>
          ))}
        </tbody>
        {total ? (
          <tfoot>
            <tr>
              <th scope="row">{total.name}</th>
              <td>
                <b>{formatPrice(locale, total.value)}</b>
                <small>{d.costsMonth(formatPrice(locale, total.value / 12))}</small>
              </td>
            </tr>
          </tfoot>
        ) : null}
      </table>
    </section>
  );
}
