// Made from services/shared/contracts/vocabulary.json by `make types`.
import type { BeachSlope, Orientation } from "#app/lib/api/types.ts";
import type { Messages } from "#app/lib/i18n/messages.ts";

export const orientationNames: Messages<Record<Orientation, string>> = {
  "en": {
    "n": "North",
    "ne": "North-east",
    "e": "East",
    "se": "South-east",
    "s": "South",
    "sw": "South-west",
    "w": "West",
    "nw": "North-west",
  },
  "es": {
    "n": "Norte",
    "ne": "Noreste",
    "e": "Este",
    "se": "Sureste",
    "s": "Sur",
    "sw": "Suroeste",
    "w": "Oeste",
    "nw": "Noroeste",
  },
};

export const slopeNames: Messages<Record<BeachSlope, string>> = {
  "en": {
    "flat": "On the level",
    "gentle": "Gentle slope",
    "steep": "Steep",
    "steps": "With steps",
  },
  "es": {
    "flat": "Llano",
    "gentle": "Pendiente suave",
    "steep": "Cuesta pronunciada",
    "steps": "Con escaleras",
  },
};
