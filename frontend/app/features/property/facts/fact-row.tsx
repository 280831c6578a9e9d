import type { PropertyDetail } from "#app/lib/api/types.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { ImperialFigure } from "#app/lib/units/imperial-figure.tsx";
import { detailMessages } from "../detail-messages.ts";
import { factsOf } from "./facts-of.ts";

/** The key facts of a home, by which people compare homes. */
export function FactRow({ property }: { property: PropertyDetail }) {
  const d = useMessages(detailMessages);
  const facts = factsOf(property, useLocale());
  if (facts.length === 0) return null;
  return (
    <dl aria-label={d.facts} className="facts">
      {facts.map(({ name, value, squareMetres }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className={squareMetres ? "area" : undefined}>
            {value}
            {squareMetres ? <ImperialFigure area={squareMetres} /> : null}
          </dd>
        </div>
      ))}
    </dl>
  );
}
