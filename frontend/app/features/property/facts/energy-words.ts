import type { EnergyLabel } from "#app/lib/api/types.ts";
import { formatNumber } from "#app/lib/format/format.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";
import { messagesFor } from "#app/lib/i18n/messages.ts";
import { energyExemptionNames } from "#app/lib/vocabulary/energy.gen.ts";
import { energyMessages } from "./energy-messages.ts";

/** Why there is no letter, in short and at length; nothing where there is one. */
export function unratedWords(
  { rating, exemption }: EnergyLabel,
  locale: Locale,
): { name: string; text: string } | undefined {
  const t = messagesFor(energyMessages, locale);
  const reasons = messagesFor(energyExemptionNames, locale);
  if (rating === "in_process") return { name: t.pending, text: t.pendingText };
  if (rating !== "exempt") return undefined;
  return { name: t.exempt, text: exemption ? t.exemptBecause(reasons[exemption]) : t.exemptText };
}

/** The figures of a label as they are written; none where they are not known. */
export function labelFigures({ consumption, emissions }: EnergyLabel, locale: Locale) {
  const written = (value: number | null | undefined) =>
    value == null ? undefined : formatNumber(locale, value);
  return { used: written(consumption), emitted: written(emissions) };
}

/** All that a label shows, for who can't see it. */
export function labelInWords(energy: EnergyLabel, locale: Locale): string {
  const t = messagesFor(energyMessages, locale);
  const { rating, emissionsRating } = energy;
  const { used, emitted } = labelFigures(energy, locale);
  return [
    t.rated(rating),
    used && `${t.consumption}: ${used} ${t.consumptionUnit}.`,
    emitted && `${t.emissions}: ${emitted} ${t.emissionsUnit}.`,
    emissionsRating && t.emissionsRated(emissionsRating),
  ]
    .filter(Boolean)
    .join(" ");
}
