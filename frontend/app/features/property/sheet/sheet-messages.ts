import { defineMessages } from "#app/lib/i18n/messages.ts";

/** Texts of the shop window sheet. */
export const sheetMessages = defineMessages({
  en: {
    about: (reference: string, place: string) => `${reference}, for sale in ${place}`,
    scan: "Scan for all the images, the map and the costs",
    code: (address: string) => `QR code that opens ${address}`,
    ask: "Ask us about it",
  },
  es: {
    about: (reference, place) => `${reference}, en venta en ${place}`,
    scan: "Escanee el código: todas las imágenes, el mapa y los gastos",
    code: (address) => `Código QR que abre ${address}`,
    ask: "Consúltenos",
  },
});
