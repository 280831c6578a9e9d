import { defineMessages } from "#app/lib/i18n/messages.ts";

/** Texts of property cards, and those that the property page shares with them. */
export const propertyMessages = defineMessages({
  en: {
    priceOnRequest: "Price on request",
    previousPrice: (price: string) => `Was ${price}`,
    beds: (count: number) => (count === 1 ? "1 bed" : `${count} beds`),
    studio: "Studio",
    baths: (count: number) => (count === 1 ? "1 bath" : `${count} baths`),
    plot: (area: string) => `${area} plot`,
    perMetre: (price: string) => `${price} per m²`,
    noPhoto: "No images yet",
    photo: (title: string, index: number) => `${title}, image ${index}`,
    place: (kind: string, place: string) => `${kind} in ${place}`,
    otherLanguage: "In Spanish",
  },
  es: {
    priceOnRequest: "Precio a consultar",
    previousPrice: (price) => `Antes: ${price}`,
    beds: (count) => (count === 1 ? "1 dorm." : `${count} dorm.`),
    studio: "Estudio",
    baths: (count) => (count === 1 ? "1 baño" : `${count} baños`),
    plot: (area) => `parcela ${area}`,
    perMetre: (price) => `${price} por m²`,
    noPhoto: "Aún sin imágenes",
    photo: (title, index) => `${title}, imagen ${index}`,
    place: (kind, place) => `${kind} en ${place}`,
    otherLanguage: "En inglés",
  },
});
