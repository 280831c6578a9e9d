import { defineMessages, plural } from "#app/lib/i18n/messages.ts";

export const homeMessages = defineMessages({
  en: {
    title: "homes for sale in Torrox and Nerja",
    featured: "Chosen by us",
    allFeatured: "All featured homes",
    newest: "Just in",
    allNewest: "All homes for sale",
    areas: "Where the hills meet the sea",
    areasLead: "White villages and beaches, never more than half an hour apart.",
    properties: (count: number) => plural(count, `${count} property`, `${count} properties`),
  },
  es: {
    title: "viviendas en venta en Torrox y Nerja",
    featured: "Nuestra selección",
    allFeatured: "Todas las destacadas",
    newest: "Recién llegadas",
    allNewest: "Todas las viviendas en venta",
    areas: "Donde la sierra llega al mar",
    areasLead: "Pueblos blancos y playas, a menos de media hora unos de otros.",
    properties: (count) => plural(count, `${count} inmueble`, `${count} inmuebles`),
  },
});
