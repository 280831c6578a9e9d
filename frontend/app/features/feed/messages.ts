import { defineMessages } from "#app/lib/i18n/messages.ts";

export const feedMessages = defineMessages({
  en: {
    homesAbout: "Homes for sale on the Costa del Sol and in the Axarquía, newest first.",
    newsAbout: "News and advice for people buying, selling and living here.",
    askPrice: "price on request",
  },
  es: {
    homesAbout: "Viviendas en venta en la Costa del Sol y la Axarquía, primero las más nuevas.",
    newsAbout: "Noticias y consejos para quien compra, vende y vive aquí.",
    askPrice: "precio a consultar",
  },
});
