import { defineMessages } from "#app/lib/i18n/messages.ts";

export const consentMessages = defineMessages({
  en: {
    title: "May we count your visit?",
    text: "A service outside our house would count pages and learn your address on the net. The site works the same without it.",
    more: "How we use cookies",
    yes: "Yes, count it",
    no: "No, thank you",
  },
  es: {
    title: "¿Podemos contar su visita?",
    text: "Un servicio ajeno a nuestra casa contaría las páginas y conocería su dirección en la red. La web funciona igual sin él.",
    more: "Cómo usamos las cookies",
    yes: "Sí, cuéntenla",
    no: "No, gracias",
  },
});
