import type { PropertyList } from "#app/lib/api/types.ts";
import { counted, defineMessages, plural } from "#app/lib/i18n/messages.ts";
import type { Search, Sort } from "#app/lib/search/search-params.ts";

export const searchMessages = defineMessages({
  en: {
    headline: "Search our properties for sale",
    title: "Properties for sale",
    titleIn: (what: string, place: string) => `${what} in ${place}`,
    forSale: (what: string) => `${what} for sale`,
    reducedTitle: "Reduced properties for sale",
    soldTitle: "Sold by us",
    soldLead: "These homes have been sold.",
    lead: "On the coast and in the villages inland, as of today.",
    type: "What",
    search: "Search",
    filters: "Filters",
    filterCount: (count: number) => `${count} in use`,
    words: "Where or what",
    wordsHint: "Nerja, pool, AH-1042",
    reduced: "Reduced in price",
    featured: "Featured",
    apply: "Apply",
    save: "Save this search",
    clear: "Clear all filters",
    remove: (what: string) => `Remove filter: ${what}`,
    inUse: "Filters in use",
    from: (price: string) => `from ${price}`,
    upTo: (price: string) => `up to ${price}`,
    beds: (count: number) => `${count}+ bedrooms`,
    bedsUpTo: (count: number) => plural(count, "up to 1 bedroom", `up to ${count} bedrooms`),
    baths: (count: number) => `${count}+ bathrooms`,
    builtFrom: (area: string) => `${area} or more`,
    builtUpTo: (area: string) => `${area} at most`,
    plotFrom: (area: string) => `plot of ${area} or more`,
    plotUpTo: (area: string) => `plot of ${area} at most`,
    energyOf: (letter: string) => `energy rating ${letter}`,
    newWithin: (days: number) =>
      plural(days, "new since yesterday", `new in the last ${days} days`),
    notIn: (place: string) => `not in ${place}`,
    withoutFeature: (feature: string) => `without ${inSentence(feature)}`,
    inPounds: (label: string, pounds: string, rate: string, month: string) =>
      `${label} (£${pounds} at £${rate} to the euro, ${month})`,
    mapPart: "this part of the map",
    drawnArea: "drawn on the map",
    quoted: (text: string) => `“${unquoted(text)}”`,
    understood: (text: string) => `We read “${unquoted(text)}” as:`,
    count: (count: number, homes: boolean) =>
      homes
        ? counted("en", count, "home", "homes")
        : counted("en", count, "property", "properties"),
    homesThen: (count: number) => `${counted("en", count, "home", "homes")} first, then`,
    others: (count: number) =>
      counted("en", count, "garage, plot or premises", "garages, plots and premises"),
    othersTitle: "Garages, plots and premises",
    sort: "Sort by",
    page: (page: number) => `Page ${page}`,
    listView: "List",
    mapView: "Map",
    views: "Show as",
    leadOf: (heading: string, count: string) => `${heading}: ${count}, as of today.`,
  },
  es: {
    headline: "Busque entre nuestros inmuebles en venta",
    title: "Inmuebles en venta",
    titleIn: (what, place) => `${what} en ${place}`,
    forSale: (what) => `${what} en venta`,
    reducedTitle: "Inmuebles rebajados en venta",
    soldTitle: "Vendidos por nosotros",
    soldLead: "Estas viviendas ya están vendidas.",
    lead: "En la costa y en los pueblos del interior, a día de hoy.",
    type: "Qué",
    search: "Buscar",
    filters: "Filtros",
    filterCount: (count) => `${count} en uso`,
    words: "Dónde o qué",
    wordsHint: "Nerja, piscina, AH-1042",
    reduced: "Con precio rebajado",
    featured: "Destacados",
    apply: "Aplicar",
    save: "Guardar esta búsqueda",
    clear: "Quitar todos los filtros",
    remove: (what) => `Quitar filtro: ${what}`,
    inUse: "Filtros en uso",
    from: (price) => `desde ${price}`,
    upTo: (price) => `hasta ${price}`,
    beds: (count) => `${count}+ dormitorios`,
    bedsUpTo: (count) => plural(count, "hasta 1 dormitorio", `hasta ${count} dormitorios`),
    baths: (count) => `${count}+ baños`,
    builtFrom: (area) => `${area} o más`,
    builtUpTo: (area) => `${area} como máximo`,
    plotFrom: (area) => `parcela de ${area} o más`,
    plotUpTo: (area) => `parcela de ${area} como máximo`,
    energyOf: (letter) => `calificación energética ${letter}`,
    newWithin: (days) =>
      plural(days, "novedades desde ayer", `novedades de los últimos ${days} días`),
    notIn: (place) => `fuera de ${place}`,
    withoutFeature: (feature) => `sin ${inSentence(feature)}`,
    inPounds: (label, pounds, rate, month) =>
      `${label} (${pounds}\u00a0£ a ${rate}\u00a0£ por euro, ${month.replace(" ", " de ")})`,
    mapPart: "esta parte del mapa",
    drawnArea: "zona dibujada en el mapa",
    quoted: (text) => `«${unquoted(text)}»`,
    understood: (text) => `Con «${unquoted(text)}», busca:`,
    count: (count, homes) =>
      homes
        ? counted("es", count, "vivienda", "viviendas")
        : counted("es", count, "inmueble", "inmuebles"),
    homesThen: (count) => `Primero, ${counted("es", count, "vivienda", "viviendas")}; después,`,
    others: (count) =>
      counted("es", count, "garaje, terreno o local", "garajes, terrenos y locales"),
    othersTitle: "Garajes, terrenos y locales",
    sort: "Ordenar por",
    page: (page) => `Página ${page}`,
    listView: "Lista",
    mapView: "Mapa",
    views: "Ver como",
    leadOf: (heading, count) => `${heading}: ${count}, a día de hoy.`,
  },
});

/** The names of the orders of a list, by their value in the address. */
export const sortNames = defineMessages<Record<Sort, string>>({
  en: {
    relevance: "Best Match",
    newest: "Newest First",
    oldest: "Oldest First",
    "price-asc": "Price Ascending",
    "price-desc": "Price Descending",
    "price-per-m2": "Price per m²",
    reduced: "Just Reduced",
  },
  es: {
    relevance: "Más relevantes",
    newest: "Más recientes",
    oldest: "Más antiguos",
    "price-asc": "Precio ascendente",
    "price-desc": "Precio descendente",
    "price-per-m2": "Precio por m²",
    reduced: "Rebajados recientemente",
  },
});

/** Removes the quotation marks that a visitor typed: the text is shown within the site's own. */
export function unquoted(text: string): string {
  return text.replace(/[\s"“”«»]+|^'+|'+$/g, " ").trim() || text;
}

/** Writes a name as it appears within a sentence. */
function inSentence(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

type AskedTypes = Pick<Search, "propertyType">;
type CountedTypes = Pick<PropertyList["facets"], "propertyType">;

/** Whether a search finds only homes to live in, and no garages, business premises or land. */
export function findsOnlyHomes({ propertyType }: AskedTypes, facets: CountedTypes): boolean {
  if (propertyType.length > 0) return !propertyType.includes("Commercial");
  return !facets.propertyType.Commercial;
}

/**
 * Returns how many of the results are not homes. The facet counts all types, also those that are not
 * searched for.
 */
export function countNonHomes({ propertyType }: AskedTypes, facets: CountedTypes): number {
  const found = propertyType.length === 0 || propertyType.includes("Commercial");
  return (found && facets.propertyType.Commercial) || 0;
}
