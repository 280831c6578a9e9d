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
  },
  "privacy": {
    "en": "{company} uses this to answer you, at your request and before a possible contract (GDPR, article 6.1.b), keeps it for two years, and gives it to nobody but our email and hosting providers. You may see, correct, erase, limit or take it with you at any time, object, and complain to the Spanish data protection agency (aepd.es).",
    "es": "{company} lo usa para responderle, a petición suya y antes de un posible contrato (RGPD, artículo 6.1.b), lo guarda dos años y no lo da a nadie más que a nuestros proveedores de correo y alojamiento. Puede consultarlo, corregirlo, borrarlo, limitarlo o llevárselo cuando quiera, oponerse y reclamar ante la Agencia Española de Protección de Datos (aepd.es)."
  }
} as const;
