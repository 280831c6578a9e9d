import { defineMessages } from "#app/lib/i18n/messages.ts";

export const enquiryMessages = defineMessages({
  en: {
    title: "Would you like to see it?",
    text: "Tell us when you are on the coast, or ask what you would like to know first.",
    takenTitle: "Somebody was quicker",
    takenText:
      "A buyer has agreed terms with the owner. To hear from us should it come back on the market, write to us.",
    line: (reference: string, title: string) => `Hello, I am interested in ${reference}: ${title}.`,
    whatsapp: "WhatsApp",
    viewing: "Arrange a viewing",
    enquire: "Enquire",
    orAsk: "Or ask us about it",
    callback: "Ask us to call you",
    call: "Call us",
    soldTitle: "This one has been sold",
    soldText: "It is no longer for sale. Something like it may be.",
    soldList: (place: string) => `Everything for sale in ${place}`,
  },
  es: {
    title: "¿Concertamos una visita?",
    text: "Díganos cuándo está en la costa, o pregunte antes lo que quiera.",
    takenTitle: "Alguien se ha adelantado",
    takenText:
      "Un comprador ya tiene un acuerdo con la propiedad. Si quiere que le avisemos en caso de que vuelva a ponerse en venta, escríbanos.",
    line: (reference, title) => `Hola, me interesa la referencia ${reference}: ${title}.`,
    whatsapp: "WhatsApp",
    viewing: "Concertar una visita",
    enquire: "Contactar",
    orAsk: "O pregúntenos lo que quiera",
    callback: "Que le llamemos",
    call: "Llámenos",
    soldTitle: "Ya se ha vendido",
    soldText: "No está en venta, pero puede que haya algo parecido.",
    soldList: (place) => `Todo lo que está en venta en ${place}`,
  },
});
