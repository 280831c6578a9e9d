import { counted, defineMessages } from "#app/lib/i18n/messages.ts";

export const homeMessages = defineMessages({
  en: {
    title: "homes for sale",
    featured: "Hand-picked",
    allFeatured: "All featured homes",
    newest: "Just in",
    allNewest: "All homes for sale",
    tellMe: "Email me about new homes",
    areas: "Where we sell",
    onMap: "See them all on the map",
    otherAreas: "More areas",
    sold: "Sold by us",
    allSold: "Everything we have sold",
    aboutUs: "About us",
    worth: "What is your home worth?",
    worthText: "Tell us where it is.",
    worthButton: "Ask for a valuation",
    selling: "How selling works",
    properties: (count: number) => counted("en", count, "property", "properties"),
    median: (homes: number, price: string) =>
      `${counted("en", homes, "home", "homes")}, median ${price}`,
    mediansText:
      "Median asking prices of homes for sale there today: half ask less, half ask more. None is given for fewer than five.",
  },
  es: {
    title: "viviendas en venta",
    featured: "Nuestra selección",
    allFeatured: "Todas las destacadas",
    newest: "Recién llegadas",
    allNewest: "Todas las viviendas en venta",
    tellMe: "Avísenme cuando entre una vivienda",
    areas: "Dónde vendemos",
    onMap: "Todas en el mapa",
    otherAreas: "Más zonas",
    sold: "Vendidos por nosotros",
    allSold: "Todo lo que hemos vendido",
    aboutUs: "Quiénes somos",
    worth: "¿Cuánto vale su casa?",
    worthText: "Díganos dónde está.",
    worthButton: "Pedir una valoración",
    selling: "Cómo se vende",
    properties: (count) => counted("es", count, "inmueble", "inmuebles"),
    median: (homes, price) => `${counted("es", homes, "vivienda", "viviendas")}, mediana ${price}`,
    mediansText:
      "Medianas de los precios pedidos por las viviendas que hoy están en venta: la mitad pide menos y la mitad, más. Con menos de cinco no se da ninguna.",
  },
});
