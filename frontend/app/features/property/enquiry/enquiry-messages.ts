import { defineMessages } from "#app/lib/i18n/messages.ts";

export const enquiryMessages = defineMessages({
  en: {
    title: "Would you like to see it?",
    text: "Tell us when you are on the coast. We know the place, and the people around it.",
    takenTitle: "Somebody was quicker",
    takenText:
      "A buyer has agreed terms with the owner. Sales do fall through: write to us and you will be the first to hear.",
    line: (reference: string, title: string) => `Hello, I am interested in ${reference}: ${title}.`,
    whatsapp: "WhatsApp",
    viewing: "Arrange a viewing",
    view: "Viewing",
    ask: "Ask us",
    orAsk: "Or ask us about it",
    callback: "Ask us to call you",
    call: "Call us",
    soldTitle: "It has found its owner",
    soldText: "It is no longer for sale. Something like it may be.",
    soldList: (place: string) => `Everything for sale in ${place}`,
  },
  es: {
    title: "¿Concertamos una visita?",
    text: "Díganos cuándo está en la costa. Conocemos el sitio y a los vecinos.",
    takenTitle: "Alguien se ha adelantado",
    takenText:
      "Un comprador ya tiene un acuerdo con la propiedad. A veces la venta no llega a buen fin: escríbanos y le avisaremos antes que a nadie.",
    line: (reference, title) => `Hola, me interesa la referencia ${reference}: ${title}.`,
    whatsapp: "WhatsApp",
    viewing: "Concertar una visita",
    view: "Visita",
    ask: "Pregúntenos",
    orAsk: "O pregúntenos lo que quiera",
    callback: "Que le llamemos",
    call: "Llámenos",
    soldTitle: "Ya tiene dueño",
    soldText: "Ya no está en venta, pero puede que haya algo parecido.",
    soldList: (place) => `Todo lo que está en venta en ${place}`,
  },
});
