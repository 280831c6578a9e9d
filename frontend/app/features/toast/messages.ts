import { defineMessages } from "#app/lib/i18n/messages.ts";

export const toastMessages = defineMessages({
  en: { close: "Close" },
  es: { close: "Cerrar" },
});
