import { defineMessages } from "#app/lib/i18n/messages.ts";

export const legalMessages = defineMessages({
  en: {
    title: "Before you sign",
    priceTitle: "Price",
    sheetAsk: "Ask for the sheet",
    sheetLine: (reference: string) =>
      `Please send me the abridged information document (DIA) for ${reference}.`,
    papersAsk: "Ask for the papers",
    papersLine: (reference: string) => `Please send me the papers you have for ${reference}.`,
  },
  es: {
    title: "Antes de firmar",
    priceTitle: "Precio",
    sheetAsk: "Pedir el documento",
    sheetLine: (reference) =>
      `Les ruego que me envíen el documento informativo abreviado (DIA) de ${reference}.`,
    papersAsk: "Pedir la documentación",
    papersLine: (reference) =>
      `Les ruego que me envíen la documentación que tengan de ${reference}.`,
  },
});
