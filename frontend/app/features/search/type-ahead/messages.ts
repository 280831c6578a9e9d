import { defineMessages, plural } from "#app/lib/i18n/messages.ts";

export const typeAheadMessages = defineMessages({
  en: {
    suggestions: "Suggestions",
    recent: "Recent searches",
    count: (count: string, one: boolean, homes: boolean) =>
      homes ? (one ? "1 home" : `${count} homes`) : one ? "1 property" : `${count} properties`,
    location: "Place",
    reference: "Reference",
    type: "Type",
    feature: "Feature",
    property: "Home",
    noHome: "Property",
    search: "Search",
    found: (count: number) =>
      `${plural(count, "1 suggestion.", `${count} suggestions.`)} Use the arrow keys to choose.`,
    foundRecent: (count: number) =>
      plural(count, "1 recent search.", `${count} recent searches.`) +
      " Use the arrow keys to choose, Delete to remove.",
    none: "No suggestions. Press Enter to search.",
    forget: "Forget recent searches",
    remove: (what: string) => `Remove: ${what}`,
    onlyHere: "Kept on this device only",
  },
  es: {
    suggestions: "Sugerencias",
    recent: "Búsquedas recientes",
    count: (count, one, homes) =>
      homes
        ? one
          ? "1 vivienda"
          : `${count} viviendas`
        : one
          ? "1 inmueble"
          : `${count} inmuebles`,
    location: "Lugar",
    reference: "Referencia",
    type: "Tipo",
    feature: "Característica",
    property: "Vivienda",
    noHome: "Inmueble",
    search: "Buscar",
    found: (count) =>
      plural(count, "1 sugerencia.", `${count} sugerencias.`) +
      " Elija con las flechas del teclado.",
    foundRecent: (count) =>
      plural(count, "1 búsqueda reciente.", `${count} búsquedas recientes.`) +
      " Elija con las flechas del teclado; Supr la quita.",
    none: "Sin sugerencias. Pulse Intro para buscar.",
    forget: "Olvidar las búsquedas recientes",
    remove: (what) => `Quitar: ${what}`,
    onlyHere: "Solo se guardan en este dispositivo",
  },
});
