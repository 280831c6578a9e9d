import type { EnergyLabel } from "#app/lib/api/types.ts";
import { formatNumber } from "#app/lib/format/format.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";
import { messagesFor } from "#app/lib/i18n/messages.ts";
import { energyExemptionNames } from "#app/lib/vocabulary/energy.gen.ts";
import { energyMessages } from "./energy-messages.ts";

/** Returns why there is no rating, as a short name and a sentence; undefined if there is one. */
export function unratedText(
  { rating, exemption }: EnergyLabel,
  locale: Locale,
): { name: string; text: string } | undefined {
  const t = messagesFor(energyMessages, locale);
  const reasons = messagesFor(energyExemptionNames, locale);
  if (rating === "in_process") return { name: t.pending, text: t.pendingText };
  if (rating !== "exempt") return undefined;
  return { name: t.exempt, text: exemption ? t.exemptBecause(reasons[exemption]) : t.exemptText };
}

/** Returns the formatted figures of a label; undefined where unknown. */
export function labelFigures({ consumption, emissions }: EnergyLabel, locale: Locale) {
  const formatted = (value: number | null | undefined) =>
    value == null ? undefined : formatNumber(locale, value);
  return { used: formatted(consumption), emitted: formatted(emissions) };
}

/** Returns everything that a label shows as text, for screen readers. */
export function labelText(energy: EnergyLabel, locale: Locale): string {
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
