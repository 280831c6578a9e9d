import type { ListingStatus, PropertyKind, PropertyType } from "#app/lib/api/types.ts";
import { defineMessages, type Messages } from "#app/lib/i18n/messages.ts";

/** Names of statuses; a property under offer is shown as reserved. */
export const statusNames: Messages<Record<ListingStatus, string>> = defineMessages({
  en: {
    for_sale: "For Sale",
    under_offer: "Reserved",
    sale_agreed: "Sale Agreed",
    pending: "Pending",
    sold: "Sold",
  },
  es: {
    for_sale: "En venta",
    under_offer: "Reservada",
    sale_agreed: "Venta acordada",
    pending: "Pendiente de firma",
    sold: "Vendida",
  },
});

export const typeNames: Messages<Record<PropertyType, string>> = defineMessages({
  en: { House: "Houses", Apartment: "Apartments", Commercial: "Commercial and land" },
  es: { House: "Casas", Apartment: "Pisos", Commercial: "Locales y terrenos" },
});

export const kindNames: Messages<Record<PropertyKind, string>> = defineMessages({
  en: {
    villa: "Villa",
    townhouse: "Townhouse",
    "village-house": "Village house",
    "country-house": "Country house",
    apartment: "Apartment",
    penthouse: "Penthouse",
    studio: "Studio",
    duplex: "Duplex",
    "ground-floor": "Ground-floor apartment",
    premises: "Premises",
    bar: "Bar or restaurant",
    office: "Office",
    land: "Land",
    garage: "Garage",
  },
  es: {
    villa: "Villa",
    townhouse: "Adosado",
    "village-house": "Casa de pueblo",
    "country-house": "Casa de campo",
    apartment: "Piso",
    penthouse: "Ático",
    studio: "Estudio",
    duplex: "Dúplex",
    "ground-floor": "Planta baja",
    premises: "Local comercial",
    bar: "Bar o restaurante",
    office: "Oficina",
    land: "Terreno",
    garage: "Garaje",
  },
});
