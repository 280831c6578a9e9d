// Made from services/shared/contracts/vocabulary.json by `make types`.
import type { EnergyLetter, ListingStatus, PropertyKind, PropertyType } from "#app/lib/api/types.ts";
import type { Messages } from "#app/lib/i18n/messages.ts";

export const statusNames: Messages<Record<ListingStatus, string>> = {
  "en": {
    "for_sale": "For Sale",
    "under_offer": "Reserved",
    "sale_agreed": "Sale Agreed",
    "pending": "Pending",
    "sold": "Sold",
  },
  "es": {
    "for_sale": "En venta",
    "under_offer": "Reservado",
    "sale_agreed": "Venta acordada",
    "pending": "Pendiente de firma",
    "sold": "Vendido",
  },
};

export const markNames: Messages<Record<"reduced" | "newBuild", string>> = {
  "en": {
    "reduced": "Reduced",
    "newBuild": "New build",
  },
  "es": {
    "reduced": "Rebajado",
    "newBuild": "Obra nueva",
  },
};

export const typePlurals: Messages<Record<PropertyType, string>> = {
  "en": {
    "House": "Houses",
    "Apartment": "Apartments",
    "Commercial": "Commercial and land",
  },
  "es": {
    "House": "Casas",
    "Apartment": "Pisos",
    "Commercial": "Locales y terrenos",
  },
};

export const kindNames: Messages<Record<PropertyKind, string>> = {
  "en": {
    "villa": "Villa",
    "townhouse": "Townhouse",
    "village-house": "Village house",
    "country-house": "Country house",
    "apartment": "Flat",
    "penthouse": "Penthouse",
    "studio": "Studio",
    "duplex": "Duplex",
    "ground-floor": "Ground-floor apartment",
    "premises": "Premises",
    "bar": "Bar or restaurant",
    "office": "Office",
    "land": "Land",
    "garage": "Garage",
  },
  "es": {
    "villa": "Villa",
    "townhouse": "Adosado",
    "village-house": "Casa de pueblo",
    "country-house": "Casa de campo",
    "apartment": "Apartamento",
    "penthouse": "Ático",
    "studio": "Estudio",
    "duplex": "Dúplex",
    "ground-floor": "Planta baja",
    "premises": "Local comercial",
    "bar": "Bar o restaurante",
    "office": "Oficina",
    "land": "Terreno",
    "garage": "Garaje",
  },
};

export const kindPlurals: Messages<Record<PropertyKind, string>> = {
  "en": {
    "villa": "Villas",
    "townhouse": "Townhouses",
    "village-house": "Village houses",
    "country-house": "Country houses",
    "apartment": "Flats",
    "penthouse": "Penthouses",
    "studio": "Studios",
    "duplex": "Duplexes",
    "ground-floor": "Ground-floor apartments",
    "premises": "Business premises",
    "bar": "Bars and restaurants",
    "office": "Offices",
    "land": "Land",
    "garage": "Garages",
  },
  "es": {
    "villa": "Villas",
    "townhouse": "Adosados",
    "village-house": "Casas de pueblo",
    "country-house": "Casas de campo",
    "apartment": "Apartamentos",
    "penthouse": "Áticos",
    "studio": "Estudios",
    "duplex": "Dúplex",
    "ground-floor": "Plantas bajas",
    "premises": "Locales comerciales",
    "bar": "Bares y restaurantes",
    "office": "Oficinas",
    "land": "Terrenos",
    "garage": "Garajes",
  },
};

export const energyLetters: readonly EnergyLetter[] = ["A","B","C","D","E","F","G"];
