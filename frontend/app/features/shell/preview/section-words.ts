import { defineMessages } from "#app/lib/i18n/messages.ts";

// As in `lib/vocabulary`, which visitors have in the scripts of a home's sections: shared with the bar they
// would be two more scripts on each home's page.

export const roomNames = defineMessages({
  en: {
    hall: "Hall",
    "living-room": "Living room",
    "living-kitchen": "Living room with kitchen",
    "living-dining": "Living and dining room",
    "dining-room": "Dining room",
    kitchen: "Kitchen",
    bedroom: "Bedroom",
    bathroom: "Bathroom",
    "en-suite": "En-suite bathroom",
    toilet: "Toilet",
    "dressing-room": "Dressing room",
    study: "Study",
    landing: "Landing",
    "utility-room": "Utility room",
    storeroom: "Storeroom",
    workshop: "Workshop",
    terrace: "Terrace",
    balcony: "Balcony",
    "roof-terrace": "Roof terrace",
    patio: "Patio",
    garage: "Garage",
  },
  es: {
    hall: "Recibidor",
    "living-room": "Salón",
    "living-kitchen": "Salón con cocina",
    "living-dining": "Salón comedor",
    "dining-room": "Comedor",
    kitchen: "Cocina",
    bedroom: "Dormitorio",
    bathroom: "Baño",
    "en-suite": "Baño en suite",
    toilet: "Aseo",
    "dressing-room": "Vestidor",
    study: "Despacho",
    landing: "Distribuidor",
    "utility-room": "Lavadero",
    storeroom: "Trastero",
    workshop: "Taller",
    terrace: "Terraza",
    balcony: "Balcón",
    "roof-terrace": "Azotea",
    patio: "Patio",
    garage: "Garaje",
  },
});

export const energyExemptionNames = defineMessages({
  en: {
    protected: "Officially protected building, whose character works would spoil",
    temporary: "Temporary building, for two years at most",
    low_demand: "Industrial or agricultural building that needs little energy",
    small_detached: "Detached building with less than 50 m² of usable floor area",
    demolition_or_renovation: "Building sold to be demolished or thoroughly renovated",
  },
  es: {
    protected: "Edificio protegido oficialmente, cuyo carácter alterarían las obras",
    temporary: "Construcción provisional, para dos años como máximo",
    low_demand: "Edificio industrial o agrícola de baja demanda energética",
    small_detached: "Edificio independiente de menos de 50 m² útiles",
    demolition_or_renovation: "Edificio que se vende para demolerlo o reformarlo a fondo",
  },
});
