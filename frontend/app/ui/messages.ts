import { defineMessages } from "#app/lib/i18n/messages.ts";

/** What the parts say by themselves, whatever they are used for. */
export const uiMessages = defineMessages({
  en: {
    required: "Fields marked with * are needed.",
    error: "Error:",
    problems: (count: number) =>
      count === 1 ? "One thing is not right yet" : `${count} things are not right yet`,
    choose: "Please choose",
    noneFound: "Nothing found",
    open: "Open the list",
    close: "Close",
    toasts: "Notices",
    pages: "Pages",
    page: (page: number) => `Page ${page}`,
    previous: "Previous",
    next: "Next",
  },
  es: {
    required: "Los campos con * son necesarios.",
    error: "Error:",
    problems: (count) =>
      count === 1 ? "Hay algo que corregir" : `Hay ${count} cosas que corregir`,
    choose: "Elija una opción",
    noneFound: "No se encontró nada",
    open: "Abrir la lista",
    close: "Cerrar",
    toasts: "Avisos",
    pages: "Páginas",
    page: (page) => `Página ${page}`,
    previous: "Anterior",
    next: "Siguiente",
  },
});
