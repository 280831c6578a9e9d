import { defineMessages } from "#app/lib/i18n/messages.ts";

/** The texts of the notice about a form that was left while it was being sent. */
export const leftFormMessages = defineMessages({
  en: {
    arrived: "Thank you, we have your enquiry",
    reference: (reference: string) => `Your reference, if you call us: ${reference}`,
    failed: "Your enquiry was not sent",
    kept: "What you wrote is still in the form.",
    back: "Back to the form",
  },
  es: {
    arrived: "Gracias, hemos recibido su consulta",
    reference: (reference) => `Su referencia, por si nos llama: ${reference}`,
    failed: "Su consulta no se ha enviado",
    kept: "Lo que escribió sigue en el formulario.",
    back: "Volver al formulario",
  },
});
