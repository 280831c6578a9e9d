import { defineMessages } from "#app/lib/i18n/messages.ts";

/** Built-in texts of overlays: dialogs and toasts. */
export const overlayMessages = defineMessages({
  en: { close: "Close", toasts: "Notices" },
  es: { close: "Cerrar", toasts: "Avisos" },
});

/** A list of options that is searched by typing. */
export const comboboxMessages = defineMessages({
  en: {
    search: "Search...",
    noOptions: "No options.",
    noResults: (query: string) => `No results for "${query}".`,
    open: "Open the list",
  },
  es: {
    search: "Buscar...",
    noOptions: "No hay opciones.",
    noResults: (query) => `No hay resultados para «${query}».`,
    open: "Abrir la lista",
  },
});
