import { defineMessages } from "#app/lib/i18n/messages.ts";

export const feedMessages = defineMessages({
  en: {
    homesAbout: (company: string) => `Homes for sale with ${company}, newest first.`,
    newsAbout: "News and advice for people buying, selling and living here.",
    askPrice: "price on request",
  },
  es: {
    homesAbout: (company) => `Viviendas en venta en ${company}, primero las más nuevas.`,
    newsAbout: "Noticias y consejos para quien compra, vende y vive aquí.",
    askPrice: "precio a consultar",
  },
});
