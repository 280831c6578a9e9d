import type { PropertyDetail } from "#app/lib/api/types.ts";
import { formatArea } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { propertyMessages } from "./messages.ts";

/** The figures that people compare homes by. */
export function FactRow({ property }: { property: PropertyDetail }) {
  const locale = useLocale();
  const t = useMessages(propertyMessages);
  const area = (value: number | null | undefined) => (value ? formatArea(locale, value) : null);
  const facts: [string, string | number | null | undefined][] = [
    [t.bedrooms, property.bedrooms || (property.kind === "studio" ? t.studio : null)],
    [t.bathrooms, property.bathrooms || null],
    [t.builtArea, area(property.builtArea)],
    [t.terraceArea, area(property.terraceArea)],
    [t.plotArea, area(property.plotArea)],
    [t.yearBuilt, property.yearBuilt],
    [t.floor, property.floor],
  ];
  const known = facts.filter(([, value]) => value !== null && value !== undefined && value !== "");
  if (known.length === 0) return null;
  return (
    <dl
      aria-label={t.facts}
      className="grid grid-cols-[repeat(auto-fit,minmax(6.25rem,1fr))] gap-x-6 gap-y-5 border-y border-line py-6"
    >
      {known.map(([name, value]) => (
        <div key={name} className="flex flex-col-reverse justify-end">
          <dt className="text-sm text-muted">{name}</dt>
          <dd className="font-display text-2xl tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
