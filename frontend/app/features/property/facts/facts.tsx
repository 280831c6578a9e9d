import type { PropertyDetail } from "#app/lib/api/types.ts";
import { formatArea, formatPrice } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { detailMessages } from "../detail-messages.ts";
import { propertyMessages } from "../messages.ts";

/** The figures that people compare homes by. */
export function FactRow({ property }: { property: PropertyDetail }) {
  const locale = useLocale();
  const t = useMessages(propertyMessages);
  const d = useMessages(detailMessages);
  const { price, builtArea } = property;
  const area = (value: number | null | undefined) => (value ? formatArea(locale, value) : null);
  const facts: [string, string | number | null | undefined][] = [
    [d.bedrooms, property.bedrooms || (property.kind === "studio" ? t.studio : null)],
    [d.bathrooms, property.bathrooms || null],
    [d.builtArea, area(builtArea)],
    [d.terraceArea, area(property.terraceArea)],
    [d.plotArea, area(property.plotArea)],
    [d.yearBuilt, property.yearBuilt],
    [d.floor, property.floor ? d.floorName(property.floor) : null],
    [d.perMetre, price && builtArea ? formatPrice(locale, price / builtArea) : null],
  ];
  const known = facts.filter(([, value]) => value !== null && value !== undefined && value !== "");
  if (known.length === 0) return null;
  return (
    <dl
      aria-label={d.facts}
      className="grid grid-cols-2 narrow:gap-x-3 sm:grid-cols-4 gap-x-6 gap-y-5 border-y border-line py-6 print:grid-cols-8 print:gap-x-2 print:py-2"
    >
      {known.map(([name, value]) => (
        <div key={name} className="flex flex-col-reverse justify-end">
          <dt className="text-sm text-muted">{name}</dt>
          <dd className="font-display text-2xl tabular-nums print:text-base">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
