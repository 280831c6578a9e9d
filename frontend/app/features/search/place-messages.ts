import { defineMessages } from "#app/lib/i18n/messages.ts";

/** The words after a place's homes. */
export const placeMessages = defineMessages({
  en: {
    more: (place: string) => `More in ${place}`,
    often: (heading: string, features: string) => `${heading} most often have: ${features}.`,
    all: (place: string) => `Everything in ${place}`,
    parts: (place: string) => `Places in ${place}`,
  },
  es: {
    more: (place) => `Más en ${place}`,
    often: (_heading, features) => `Lo más habitual: ${features}.`,
    all: (place) => `Todo en ${place}`,
    parts: (place) => `Zonas de ${place}`,
  },
});
