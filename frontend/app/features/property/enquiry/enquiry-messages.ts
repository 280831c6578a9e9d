import { defineMessages } from "#app/lib/i18n/messages.ts";

export const enquiryMessages = defineMessages({
  en: {
    title: "Would you like to see it?",
    text: "Tell us when you are on the coast. We know the house, the street and the neighbours.",
    takenTitle: "Somebody was quicker",
    takenText:
      "A buyer has come to terms with the owner. It happens that a home comes back: write to us and you hear of it first.",
    line: (reference: string, title: string) => `Hello, I am interested in ${reference}: ${title}.`,
    whatsapp: "WhatsApp",
    viewing: "Arrange a viewing",
    callback: "Have us call you",
    call: "Call us",
    soldTitle: "It has found its owner",
    soldText: "This home is no longer for sale. There are others like it.",
    soldSimilar: "Homes like this one",
    soldList: (place: string) => `Homes for sale in ${place}`,
  },
  es: {
    title: "¿Quiere verla?",
    text: "Díganos cuándo está en la costa. Conocemos la casa, la calle y a los vecinos.",
    takenTitle: "Alguien se ha adelantado",
    takenText:
      "Un comprador ya tiene un acuerdo con la propiedad. A veces una casa vuelve: escríbanos y será el primero en saberlo.",
    line: (reference, title) => `Hola, me interesa la referencia ${reference}: ${title}.`,
    whatsapp: "WhatsApp",
    viewing: "Concertar una visita",
    callback: "Que le llamemos",
    call: "Llámenos",
    soldTitle: "Ya tiene dueño",
    soldText: "Esta vivienda ya no está en venta. Hay otras parecidas.",
    soldSimilar: "Viviendas parecidas",
    soldList: (place) => `Viviendas en ${place}`,
  },
});
