import type { PropertyDetail } from "#app/lib/api/types.ts";
import { formatArea, formatPrice } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { orientationNames, slopeNames } from "#app/lib/vocabulary/particulars.gen.ts";
import { detailMessages } from "../detail-messages.ts";
import { propertyMessages } from "../messages.ts";
import { Besides } from "../units/besides.tsx";

/** The figures that people compare homes by. */
export function FactRow({ property }: { property: PropertyDetail }) {
  const locale = useLocale();
  const t = useMessages(propertyMessages);
  const d = useMessages(detailMessages);
  const sides = useMessages(orientationNames);
  const slopes = useMessages(slopeNames);
  const { price, builtArea } = property;
  const { orientation, beachWalk } = property.particulars ?? {};
  const area = (value: number | null | undefined) => (value ? formatArea(locale, value) : null);
  const facts: [
    string,
    string | number | null | undefined,
    squareMetres?: number | null | undefined,
  ][] = [
    [d.bedrooms, property.bedrooms || (property.kind === "studio" ? t.studio : null)],
    [d.bathrooms, property.bathrooms || null],
    [d.builtArea, area(builtArea), builtArea],
    [d.terraceArea, area(property.terraceArea), property.terraceArea],
    [d.plotArea, area(property.plotArea), property.plotArea],
    [d.yearBuilt, property.yearBuilt],
    [d.floor, property.floor ? d.floorName(property.floor) : null],
    [d.perMetre, price && builtArea ? formatPrice(locale, price / builtArea) : null],
    [d.faces, orientation && sides[orientation]],
    [
      d.beachWalk(beachWalk?.slope ? slopes[beachWalk.slope] : undefined),
      beachWalk && d.minutes(beachWalk.minutes),
    ],
  ];
  const known = facts.filter(([, value]) => value !== null && value !== undefined && value !== "");
  if (known.length === 0) return null;
  return (
    <dl aria-label={d.facts} className="facts">
      {known.map(([name, value, squareMetres]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className={squareMetres ? "area" : undefined}>
            {value}
            {squareMetres ? <Besides area={squareMetres} /> : null}
          </dd>
        </div>
      ))}
    </dl>
  );
}
