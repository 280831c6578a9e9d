import { defineMessages } from "#app/lib/i18n/messages.ts";

export const consentMessages = defineMessages({
  en: {
    title: "May we count your visit?",
    text: "An outside service would count page views and see your IP address. The site works just the same without it.",
    cookiesLink: "How we use cookies",
    yes: "Yes, count it",
    no: "No, thank you",
  },
  es: {
    title: "¿Podemos contar su visita?",
    text: "Un servicio externo contaría las páginas vistas y conocería su dirección IP. La web funciona igual sin él.",
    cookiesLink: "Cómo usamos las cookies",
    yes: "Sí, cuéntenla",
    no: "No, gracias",
  },
});
