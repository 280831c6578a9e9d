import type { PropertyDetail } from "#app/lib/api/types.ts";
import { formatPrice } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { sectionMessages } from "../facts/section-messages.ts";

/** What owning it costs, whatever of it is known. */
export function AnnualCosts({ costs }: { costs: PropertyDetail["annualCosts"] }) {
  const locale = useLocale();
  const d = useMessages(sectionMessages);
  const rows: [string, number | null | undefined][] = [
    [d.communityFees, costs.communityFees],
    [d.ibi, costs.ibi],
    [d.garbage, costs.garbage],
  ];
  const known = rows.flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [{ name, value }],
  );
  if (known.length === 0) return null;
  const total = known.reduce((sum, { value }) => sum + value, 0);
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
        {known.length > 1 ? (
          <tfoot>
            <tr>
              <th scope="row">
                {typeof costs.ibi === "number" ? d.costsTotal : d.costsTotalWithoutIbi}
              </th>
              <td>
                <b>{formatPrice(locale, total)}</b>
                <small>{d.costsMonth(formatPrice(locale, total / 12))}</small>
              </td>
            </tr>
          </tfoot>
        ) : null}
      </table>
    </section>
  );
}
