import type { PropertyDetail } from "#app/lib/api/types.ts";
import { formatArea, formatPrice } from "#app/lib/format/format.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";
import { messagesFor } from "#app/lib/i18n/messages.ts";
import { orientationNames, slopeNames } from "#app/lib/vocabulary/particulars.gen.ts";
import { detailMessages } from "../detail-messages.ts";
import { propertyMessages } from "../messages.ts";

interface Fact {
  readonly name: string;
  readonly value: string | number | null | undefined;
  /** The value as a number, if it is an area. */
  readonly squareMetres?: number | null | undefined;
}

/** Returns the known key facts of a home, by which people compare homes. */
export function factsOf(property: PropertyDetail, locale: Locale): Fact[] {
  const t = messagesFor(propertyMessages, locale);
  const d = messagesFor(detailMessages, locale);
  const sides = messagesFor(orientationNames, locale);
  const slopes = messagesFor(slopeNames, locale);
  const { bedrooms, bathrooms, price, builtArea, terraceArea, plotArea } = property;
  const { usefulArea, orientation, beachWalk } = property.particulars ?? {};
  const area = (value: number | null | undefined) => (value ? formatArea(locale, value) : null);
  const facts: Fact[] = [
    {
      name: d.bedrooms(bedrooms ?? 0),
      value: bedrooms || (property.kind === "studio" ? t.studio : null),
    },
    { name: d.bathrooms(bathrooms ?? 0), value: bathrooms || null },
    { name: d.builtArea, value: area(builtArea), squareMetres: builtArea },
    { name: d.usefulArea, value: area(usefulArea), squareMetres: usefulArea },
    { name: d.terraceArea, value: area(terraceArea), squareMetres: terraceArea },
    { name: d.plotArea, value: area(plotArea), squareMetres: plotArea },
    { name: d.yearBuilt, value: property.yearBuilt },
    { name: d.floor, value: property.floor ? d.floorName(property.floor) : null },
    {
      name: d.perMetre,
      value: price && builtArea ? formatPrice(locale, price / builtArea) : null,
    },
    { name: d.faces, value: orientation && sides[orientation] },
    {
      name: d.beachWalk(beachWalk?.slope ? slopes[beachWalk.slope] : undefined),
      value: beachWalk && d.minutes(beachWalk.minutes),
    },
  ];
  return facts.filter(({ value }) => value != null && value !== "");
}
