import { defineMessages } from "#app/lib/i18n/messages.ts";

/** What lies over the page says by itself. */
export const overlayMessages = defineMessages({
  en: { close: "Close", toasts: "Notices" },
  es: { close: "Cerrar", toasts: "Avisos" },
});
