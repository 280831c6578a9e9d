import { defineMessages, plural } from "#app/lib/i18n/messages.ts";

export const uiMessages = defineMessages({
  en: {
    leave: "Leave it",
    ago: (age: string) => `${age} ago`,
    never: "never",
    none: "–",
    listed: (count: number, figure: string, most: string) =>
      plural(
        count,
        `One listed, of ${most} at the most.`,
        `${figure} listed, of ${most} at the most.`,
      ),
    full: (most: string) => `The first ${most} are listed, and no more: there may be others.`,
    showNext: (count: string) => `Show ${count} more`,
    older: "Older",
    newest: "Newest",
    pages: "Pages of the list",
    old: (age: string) => `It could not be read again; what is shown is ${age} old.`,
    again: "Try again",
    ids: (count: number) => plural(count, "This one:", `These ${count}:`),
    trace: "Trace",
    newTab: "opens in a new tab",
    chooseAll: (count: number, figure: string) =>
      plural(count, "Choose the one listed", `Choose all ${figure} listed`),
    chooseFirst: (count: string) => `Choose the first ${count}`,
    choose: (name: string) => `Choose ${name}`,
    chosen: (count: number) => plural(count, "1 chosen", `${count} chosen`),
    tooMany: (most: string) => `${most} can be chosen together.`,
    actions: "What can be done",
    row: "Choose",
  },
  es: {
    leave: "Dejarlo así",
    ago: (age) => `hace ${age}`,
    never: "nunca",
    none: "–",
    listed: (count, figure, most) =>
      plural(
        count,
        `Se muestra uno, de ${most} como máximo.`,
        `Se muestran ${figure}, de ${most} como máximo.`,
      ),
    full: (most) => `Se muestra el principio de la lista, hasta ${most}: puede haber más.`,
    showNext: (count) => `Mostrar ${count} más`,
    older: "Anteriores",
    newest: "Lo más reciente",
    pages: "Páginas de la lista",
    old: (age) => `No se pudo leer de nuevo; lo que se muestra es de hace ${age}.`,
    again: "Intentarlo de nuevo",
    ids: (count) => plural(count, "Afecta a:", `Afecta a ${count}:`),
    trace: "Traza",
    newTab: "se abre en otra pestaña",
    chooseAll: (count, figure) =>
      plural(count, "Elegir el único de la lista", `Elegir los ${figure} de la lista`),
    chooseFirst: (count) => `Elegir los primeros ${count}`,
    choose: (name) => `Elegir ${name}`,
    chosen: (count) => plural(count, "1 elegido", `${count} elegidos`),
    tooMany: (most) => `Se pueden elegir ${most} a la vez.`,
    actions: "Qué se puede hacer",
    row: "Elegir",
  },
});
