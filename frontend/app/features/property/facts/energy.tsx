import type { EnergyLabel, PropertyDetail } from "#app/lib/api/types.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { tellsEnergy } from "#app/lib/property/energy.ts";
import { energyMessages } from "./energy-messages.ts";
import { labelFigures, labelInWords, unratedWords } from "./energy-words.ts";

/** The official colours of the label, which both themes keep. */
export const SCALE = [
  ["A", "#00a652"],
  ["B", "#50b848"],
  ["C", "#bfd730"],
  ["D", "#fff200"],
  ["E", "#fdb913"],
  ["F", "#f37021"],
  ["G", "#ed1c24"],
] as const;

/** What the energy certificate says, or why there is none: the law wants it beside every price. */
export function Energy({ property }: { property: PropertyDetail }) {
  const t = useMessages(energyMessages);
  const locale = useLocale();
  const { energy } = property;
  if (!tellsEnergy(property.kind)) return null;
  const unrated = energy && unratedWords(energy, locale);
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

/** The label as Royal Decree 390/2021 draws it: the scale, and an arrow for each of two figures. */
function Label({ energy }: { energy: EnergyLabel }) {
  const { rating, emissionsRating } = energy;
  const locale = useLocale();
  const t = useMessages(energyMessages);
  const { used, emitted } = labelFigures(energy, locale);
  return (
    <div>
      <p className="sr-only">{labelInWords(energy, locale)}</p>
      <div aria-hidden="true" className="energy-label">
        <Head name={t.scale} />
        <Head name={t.consumption} unit={t.consumptionUnit} />
        {/* Without its letter the figure stands apart from the scale: no row of it is right. */}
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

/** The arrow in the row of its letter. */
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

/** No certificate, and why; the scale stands empty. */
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
