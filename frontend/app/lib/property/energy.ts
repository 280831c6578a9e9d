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

/** Whether an offer of it must tell its energy rating: nobody heats or cools a plot or a garage. */
export function tellsEnergy(kind: PropertyKind): boolean {
  return kind !== "land" && kind !== "garage";
}

/** Gives what stands beside a price, by law: the letter, or that there is none. */
export function useEnergyInShort() {
  const t = useMessages(messages);
  return (kind: PropertyKind, rating: EnergyRating | null | undefined): string | undefined => {
    if (!rating || !tellsEnergy(kind)) return undefined;
    if (rating === "exempt") return t.exempt;
    return rating === "in_process" ? t.inProcess : t.letter(rating);
  };
}
