import { defineMessages } from "#app/lib/i18n/messages.ts";

/** How a message about a home begins. */
export const homeMessages = defineMessages({
  en: {
    line: (reference: string, title: string) => `Hello, I am interested in ${reference}: ${title}.`,
  },
  es: {
    line: (reference, title) => `Hola, me interesa la referencia ${reference}: ${title}.`,
  },
});
