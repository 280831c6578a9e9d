import type { EnergyLabel, PropertyDetail } from "#app/lib/api/types.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { needsEnergyRating } from "#app/lib/property/energy.ts";
import { energyMessages } from "./energy-messages.ts";
import { labelFigures, labelText, unratedText } from "./energy-text.ts";

/** The official colours of the label, the same in both themes. */
export const SCALE = [
  ["A", "#00a652"],
  ["B", "#50b848"],
  ["C", "#bfd730"],
  ["D", "#fff200"],
  ["E", "#fdb913"],
  ["F", "#f37021"],
  ["G", "#ed1c24"],
] as const;

/** The energy certificate, or why there is none: the law requires it beside every price. */
export function Energy({ property }: { property: PropertyDetail }) {
  const t = useMessages(energyMessages);
  const locale = useLocale();
  const { energy } = property;
  if (!needsEnergyRating(property.kind)) return null;
  const unrated = energy && unratedText(energy, locale);
  return (
    <section aria-labelledby="energy" className="break-inside-avoid">
      <h2 id="energy" className="text-heading">
        {t.title}
      </h2>
      <div className="mt-5">
        {!energy ? (
          <p>{t.none}</p>
        ) : unrated ? (
          <Uncertified {...unrated} />
        ) : (
          <Label energy={energy} />
        )}
      </div>
    </section>
  );
}

/** The label as prescribed by Royal Decree 390/2021: the scale, and an arrow for each of the two figures. */
function Label({ energy }: { energy: EnergyLabel }) {
  const { rating, emissionsRating } = energy;
  const locale = useLocale();
  const t = useMessages(energyMessages);
  const { used, emitted } = labelFigures(energy, locale);
  return (
    <div>
      <p className="sr-only">{labelText(energy, locale)}</p>
      <div aria-hidden="true" className="energy-label">
        <Head name={t.scale} />
        <Head name={t.consumption} unit={t.consumptionUnit} />
        {/* Without a letter, no row of the scale is right for the figure, so it is shown in the header. */}
        <Head
          name={t.emissions}
          unit={emissionsRating ? t.emissionsUnit : `${emitted ?? ""} ${t.emissionsUnit}`}
        />
        <div className="energy-scale">
          {SCALE.map(([letter, colour], index) => (
            <span key={letter} style={{ backgroundColor: colour, width: `${34 + index * 9}%` }}>
              {letter}
            </span>
          ))}
        </div>
        <Column rating={rating} value={used ?? rating} />
        <Column rating={emissionsRating} value={emitted} />
        <div className="col-span-3 flex justify-between border-t border-line px-3 py-1.5 text-xs text-muted">
          <span>{`A ${t.most}`}</span>
          <span>{`G ${t.least}`}</span>
        </div>
      </div>
    </div>
  );
}

function Head({ name, unit }: { name: string; unit?: string }) {
  return (
    <p>
      {name}
      {unit ? <small>{unit}</small> : null}
    </p>
  );
}

interface ColumnProps {
  rating: string | null | undefined;
  value: string | null | undefined;
}

/** A column with an arrow in the row of its letter. */
function Column({ rating, value }: ColumnProps) {
  const row = SCALE.findIndex(([letter]) => letter === rating);
  return (
    <div className="border-l border-line py-3">
      {row < 0 ? null : (
        <span style={{ marginTop: `${row * 1.75}rem` }} className="energy-arrow">
          {value}
          <span className="ml-auto">{rating}</span>
        </span>
      )}
    </div>
  );
}

/** Shows why there is no certificate, beside an empty scale. */
function Uncertified({ name, text }: { name: string; text: string }) {
  return (
    <div className="flex flex-wrap items-center gap-x-8 gap-y-4 rounded-xl border border-line bg-surface p-4">
      <div aria-hidden="true" className="flex w-28 flex-col gap-0.5 opacity-35 grayscale">
        {SCALE.map(([letter, colour], index) => (
          <span
            key={letter}
            style={{ backgroundColor: colour, width: `${34 + index * 9}%` }}
            className="energy-bar-thin"
          />
        ))}
      </div>
      <div className="min-w-[min(12rem,100%)] flex-1">
        <p className="font-semibold">{name}</p>
        <p className="text-muted">{text}</p>
      </div>
    </div>
  );
}
