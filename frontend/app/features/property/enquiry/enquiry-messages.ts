import { defineMessages } from "#app/lib/i18n/messages.ts";

export const enquiryMessages = defineMessages({
  en: {
    whatsapp: "WhatsApp",
    viewing: "Arrange a viewing",
    enquire: "Enquire",
    orAsk: "Or ask us about it",
    callback: "Ask us to call you",
    call: "Call us",
    soldList: (place: string) => `Everything for sale in ${place}`,
  },
  es: {
    whatsapp: "WhatsApp",
    viewing: "Concertar una visita",
    enquire: "Contactar",
    orAsk: "O pregúntenos lo que quiera",
    callback: "Que me llamen",
    call: "Llámenos",
    soldList: (place) => `Todo lo que está en venta en ${place}`,
  },
});
