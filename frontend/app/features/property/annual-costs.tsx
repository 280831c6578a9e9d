import type { PropertyDetail } from "#app/lib/api/types.ts";
import { formatPrice } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { propertyMessages } from "./messages.ts";

/** What owning it costs, whatever of it is known. */
export function AnnualCosts({ costs }: { costs: PropertyDetail["annualCosts"] }) {
  const locale = useLocale();
  const t = useMessages(propertyMessages);
  const rows: [string, number | null | undefined][] = [
    [t.communityFees, costs.communityFees],
    [t.ibi, costs.ibi],
    [t.garbage, costs.garbage],
  ];
  const known = rows.flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [{ name, value }],
  );
  if (known.length === 0) return null;
  const total = known.reduce((sum, { value }) => sum + value, 0);
  return (
    <section aria-labelledby="costs">
      <h2 id="costs" className="text-heading">
        {t.costs}
      </h2>
      <table className="mt-4 w-full max-w-md tabular-nums">
        <tbody>
          {known.map(({ name, value }) => (
            <tr key={name} className="border-b border-line">
              <th scope="row" className="py-2.5 text-left font-normal text-muted">
                {name}
              </th>
              <td className="py-2.5 text-right">{formatPrice(locale, value)}</td>
            </tr>
          ))}
        </tbody>
        {known.length > 1 ? (
          <tfoot>
            <tr>
              <th scope="row" className="py-2.5 text-left font-semibold">
                {t.costsTotal}
              </th>
              <td className="py-2.5 text-right font-semibold">{formatPrice(locale, total)}</td>
            </tr>
          </tfoot>
        ) : null}
      </table>
    </section>
  );
}
