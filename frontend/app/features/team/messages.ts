import { defineMessages } from "#app/lib/i18n/messages.ts";

export const teamMessages = defineMessages({
  en: {
    title: "Who you will talk to",
    call: (name: string) => `Call ${name}`,
    write: (name: string) => `Write to ${name}`,
  },
  es: {
    title: "Con quién va a hablar",
    call: (name) => `Llamar a ${name}`,
    write: (name) => `Escribir a ${name}`,
  },
});
