import type { EnergyRating, PropertyKind } from "#app/lib/api/types.ts";
import { defineMessages, useMessages } from "#app/lib/i18n/messages.ts";

const messages = defineMessages({
  en: {
    letter: (letter: string) => `Energy ${letter}`,
    exempt: "Energy: exempt",
    inProcess: "Energy: in process",
  },
  es: {
    letter: (letter) => `Energía ${letter}`,
    exempt: "Energía: exento",
    inProcess: "Energía: en trámite",
  },
});

/** Returns whether an offer must state its energy rating: plots and garages are neither heated nor cooled. */
export function needsEnergyRating(kind: PropertyKind): boolean {
  return kind !== "land" && kind !== "garage";
}

/**
 * Returns a function for the energy note that the law requires beside a price: the letter, or why there is
 * none.
 */
export function useEnergyInShort() {
  const t = useMessages(messages);
  return (kind: PropertyKind, rating: EnergyRating | null | undefined): string | undefined => {
    if (!rating || !needsEnergyRating(kind)) return undefined;
    if (rating === "exempt") return t.exempt;
    return rating === "in_process" ? t.inProcess : t.letter(rating);
  };
}
