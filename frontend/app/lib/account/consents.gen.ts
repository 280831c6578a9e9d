// Made by `npm run api:types` from services/command; not to be edited.

/** What visitors agree to, in the words that are kept with it. */
export const CONSENTS = {
  "marketing": {
    "en": "Write to me now and then about new homes and offers. I can end that at any time.",
    "es": "Quiero que me escriban de vez en cuando sobre viviendas nuevas y ofertas. Puedo dejarlo cuando quiera."
  },
  "alerts": {
    "en": "Yes, send me emails about homes that this search finds. Each email has a link that stops them.",
    "es": "Sí, envíenme correos sobre las viviendas que encuentre esta búsqueda. Cada correo permite darse de baja con una pulsación."
  }
} as const;
