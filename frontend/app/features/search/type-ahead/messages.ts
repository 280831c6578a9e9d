import { defineMessages, plural } from "#app/lib/i18n/messages.ts";

export const typeAheadMessages = defineMessages({
  en: {
    suggestions: "Suggestions",
    recent: "Recent searches",
    homes: (count: string, one: boolean) => (one ? "1 home" : `${count} homes`),
    location: "Place",
    reference: "Reference",
    type: "Type",
    feature: "Feature",
    property: "Home",
    search: "Search",
    found: (count: number) =>
      `${plural(count, "1 suggestion.", `${count} suggestions.`)} Use the arrow keys to choose.`,
    foundRecent: (count: number) =>
      plural(count, "1 recent search.", `${count} recent searches.`) +
      " Use the arrow keys to choose, Delete to remove.",
    none: "No suggestions. Enter searches for these words.",
    forget: "Forget recent searches",
    remove: (what: string) => `Remove: ${what}`,
    onlyHere: "Kept on this device only",
  },
  es: {
    suggestions: "Sugerencias",
    recent: "Búsquedas recientes",
    homes: (count, one) => (one ? "1 vivienda" : `${count} viviendas`),
    location: "Lugar",
    reference: "Referencia",
    type: "Tipo",
    feature: "Característica",
    property: "Vivienda",
    search: "Buscar",
    found: (count) =>
      plural(count, "1 sugerencia.", `${count} sugerencias.`) +
      " Elija con las flechas del teclado.",
    foundRecent: (count) =>
      plural(count, "1 búsqueda reciente.", `${count} búsquedas recientes.`) +
      " Elija con las flechas del teclado; Supr la quita.",
    none: "Sin sugerencias. Intro busca estas palabras.",
    forget: "Olvidar las búsquedas recientes",
    remove: (what) => `Quitar: ${what}`,
    onlyHere: "Solo se guardan en este dispositivo",
  },
});
