import type { PropertyKind } from "#app/lib/api/types.ts";
import { defineMessages, type Messages } from "#app/lib/i18n/messages.ts";

/** Kinds as headings name them: `Villas for sale`. */
export const kindPlurals: Messages<Record<PropertyKind, string>> = defineMessages({
  en: {
    villa: "Villas",
    townhouse: "Townhouses",
    "village-house": "Village houses",
    "country-house": "Country houses",
    apartment: "Flats",
    penthouse: "Penthouses",
    studio: "Studios",
    duplex: "Duplexes",
    "ground-floor": "Ground-floor apartments",
    premises: "Business premises",
    bar: "Bars and restaurants",
    office: "Offices",
    land: "Land",
    garage: "Garages",
  },
  es: {
    villa: "Villas",
    townhouse: "Adosados",
    "village-house": "Casas de pueblo",
    "country-house": "Casas de campo",
    apartment: "Apartamentos",
    penthouse: "Áticos",
    studio: "Estudios",
    duplex: "Dúplex",
    "ground-floor": "Plantas bajas",
    premises: "Locales comerciales",
    bar: "Bares y restaurantes",
    office: "Oficinas",
    land: "Terrenos",
    garage: "Garajes",
  },
});
