import { defineMessages } from "#app/lib/i18n/messages.ts";

export const inSearchMessages = defineMessages({
  en: {
    inSearch: "Properties in your search",
    back: "Back to the list",
    previous: "Previous property",
    next: "Next property",
    place: (position: string, total: string) => `${position} of ${total}`,
  },
  es: {
    inSearch: "Inmuebles de su búsqueda",
    back: "Volver a la lista",
    previous: "Inmueble anterior",
    next: "Inmueble siguiente",
    place: (position, total) => `${position} de ${total}`,
  },
});
