import { defineMessages } from "#app/lib/i18n/messages.ts";

export const inSearchMessages = defineMessages({
  en: {
    inSearch: "Homes of your search",
    back: "Back to the list",
    previous: "Previous home",
    next: "Next home",
    place: (position: string, total: string) => `${position} of ${total}`,
  },
  es: {
    inSearch: "Viviendas de su búsqueda",
    back: "Volver a la lista",
    previous: "Vivienda anterior",
    next: "Vivienda siguiente",
    place: (position, total) => `${position} de ${total}`,
  },
});
