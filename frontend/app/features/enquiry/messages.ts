import { defineMessages } from "#app/lib/i18n/messages.ts";

export const enquiryPageMessages = defineMessages({
  en: {
    general: "Write to us",
    property: "Ask about this property",
    viewing: "Arrange a viewing",
    callback: "Ask us to call you",
    valuation: "What is your home worth?",
    valuationLead: "Tell us what it is and where.",
    thanks: "Thank you for writing to us",
    thanksLead: "Your enquiry has reached our office.",
    confirmation:
      "If you left an email address, a confirmation usually arrives within a few minutes.",
    reference: "Your reference, if you call us:",
    onward: "Look at more homes",
  },
  es: {
    general: "Escríbanos",
    property: "Preguntar por este inmueble",
    viewing: "Concertar una visita",
    callback: "Que me llamen",
    valuation: "¿Cuánto vale su casa?",
    valuationLead: "Díganos dónde está y qué es.",
    thanks: "Gracias, lo hemos recibido",
    thanksLead: "Su consulta ha llegado a nuestra oficina.",
    confirmation: "Si dejó un correo electrónico, la confirmación suele llegar en unos minutos.",
    reference: "Su referencia, por si nos llama:",
    onward: "Ver más viviendas",
  },
});
