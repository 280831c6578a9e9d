// Made from services/shared/contracts/vocabulary.json by `make types`.
import type { EnergyExemption } from "#app/lib/api/types.ts";
import type { Messages } from "#app/lib/i18n/messages.ts";

export const energyExemptionNames: Messages<Record<EnergyExemption, string>> = {
  "en": {
    "protected": "Officially protected building, whose character works would spoil",
    "temporary": "Temporary building, for two years at most",
    "low_demand": "Industrial or agricultural building that needs little energy",
    "small_detached": "Detached building with less than 50 m² of usable floor area",
    "demolition_or_renovation": "Building sold to be demolished or thoroughly renovated",
  },
  "es": {
    "protected": "Edificio protegido oficialmente, cuyo carácter alterarían las obras",
    "temporary": "Construcción provisional, para dos años como máximo",
    "low_demand": "Edificio industrial o agrícola de baja demanda energética",
    "small_detached": "Edificio independiente de menos de 50 m² útiles",
    "demolition_or_renovation": "Edificio que se vende para demolerlo o reformarlo a fondo",
  },
};
