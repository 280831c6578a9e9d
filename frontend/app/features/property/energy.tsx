import type { PropertyDetail } from "#app/lib/api/types.ts";
import { formatNumber } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { propertyMessages } from "./messages.ts";

type EnergyLabel = NonNullable<PropertyDetail["energy"]>;

/** The official colours of the label, which both themes keep. */
const SCALE = [
  ["A", "#00a652"],
  ["B", "#50b848"],
  ["C", "#bfd730"],
  ["D", "#fff200"],
  ["E", "#fdb913"],
  ["F", "#f37021"],
  ["G", "#ed1c24"],
] as const;

/** What the energy certificate says, or why there is none: the law wants it beside every price. */
export function Energy({ energy }: { energy: PropertyDetail["energy"] }) {
  const t = useMessages(propertyMessages);
  return (
    <section aria-labelledby="energy">
      <h2 id="energy" className="text-heading">
        {t.energy}
      </h2>
      <div className="mt-5">{energy ? <Label energy={energy} /> : <p>{t.energyNone}</p>}</div>
    </section>
  );
}

function Label({ energy }: { energy: EnergyLabel }) {
  const t = useMessages(propertyMessages);
  if (energy.rating === "in_process") return <p>{t.energyInProcess}</p>;
  if (energy.rating === "exempt") return <p>{t.energyExempt}</p>;
  return (
    <div className="flex flex-wrap items-end gap-x-12 gap-y-6">
      <p className="sr-only">{energy.rating}</p>
      <ul aria-hidden="true" className="flex w-56 flex-col gap-1">
        {SCALE.map(([rating, colour], index) => {
          const own = rating === energy.rating;
          return (
            <li key={rating} className="flex h-6 items-center gap-2">
              <span
                style={{ backgroundColor: colour, width: `${34 + index * 9}%` }}
                className={`flex h-full items-center rounded-r-full pl-2.5 text-sm font-bold text-[#111] ${own ? "" : "opacity-45"}`}
              >
                {rating}
              </span>
              {own ? <span className="text-xl leading-none font-semibold">← {rating}</span> : null}
            </li>
          );
        })}
      </ul>
      <dl className="grid grid-cols-[auto_auto] items-baseline gap-x-6 gap-y-2">
        <Figure
          name={t.energyConsumption}
          value={energy.consumption}
          unit={t.energyConsumptionUnit}
        />
        <Figure name={t.energyEmissions} value={energy.emissions} unit={t.energyEmissionsUnit} />
      </dl>
    </div>
  );
}

interface FigureProps {
  name: string;
  value: number | null | undefined;
  unit: string;
}

function Figure({ name, value, unit }: FigureProps) {
  const locale = useLocale();
  if (value === null || value === undefined) return null;
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="tabular-nums">
        <span className="font-semibold">{formatNumber(locale, value)}</span> {unit}
      </dd>
    </>
  );
}
