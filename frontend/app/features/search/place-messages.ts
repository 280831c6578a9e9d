import { defineMessages } from "#app/lib/i18n/messages.ts";

/** The texts below the homes of a place. */
export const placeMessages = defineMessages({
  en: {
    placesIn: (place: string) => `More in ${place}`,
    often: (heading: string, features: string) => `${heading} most often have: ${features}.`,
    all: (place: string) => `Everything in ${place}`,
    parts: (place: string) => `Places in ${place}`,
    sold: (place: string) => `Sold in ${place}`,
    prices: (place: string) => `Asking prices in ${place}`,
    pricesText: (homes: string, date: string) =>
      `The median asking prices of the ${homes} homes that we had for sale on ${date} with a published price: half ask less, half ask more. What buyers pay in the end may differ.`,
    home: "Homes",
    metreOfFlats: "Flats, per square metre",
    metreOfHouses: "Houses, per square metre",
    of: (homes: string) => `median of ${homes}`,
  },
  es: {
    placesIn: (place) => `Más en ${place}`,
    often: (_heading, features) => `Lo más habitual: ${features}.`,
    all: (place) => `Todo en ${place}`,
    parts: (place) => `Zonas de ${place}`,
    sold: (place) => `Vendido en ${place}`,
    prices: (place) => `Precios pedidos en ${place}`,
    pricesText: (homes, date) =>
      `La mediana de lo que se pide por las ${homes} viviendas que el ${date} teníamos en venta con precio publicado: la mitad pide menos y la mitad, más. Lo que se paga al final puede ser distinto.`,
    home: "Una vivienda",
    metreOfFlats: "El metro cuadrado de un piso",
    metreOfHouses: "El metro cuadrado de una casa",
    of: (homes) => `mediana de ${homes}`,
  },
});
