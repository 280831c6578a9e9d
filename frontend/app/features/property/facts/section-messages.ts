import { defineMessages } from "#app/lib/i18n/messages.ts";

/** Texts of the lower sections of a property page. */
export const sectionMessages = defineMessages({
  en: {
    features: "Features",
    costs: "Yearly costs",
    costsText: "What the owner pays today, apart from water, electricity and insurance.",
    communityFees: "Community fees",
    ibi: "IBI (property tax)",
    garbage: "Rubbish collection",
    costsTotal: "Total",
    costsTotalWithoutIbi: "Total without IBI",
    costsMonth: (price: string) => `about ${price} a month`,
    raisedBy: (amount: string, percent: string) => `Raised by ${amount} (${percent})`,
    history: "How the price has moved",
    historyText: "Our asking prices since we listed it, from our own records.",
    historyNewest: "The latest changes, from our own records.",
    historyEarlier: (count: number) => `Earlier changes (${count})`,
    historyLoading: "Loading the earlier changes…",
    historyFailed: "The earlier changes can’t be loaded just now. Please try again in a minute.",
    historyFirst: "Listed",
    where: "Where it is",
    whereText: (place: string) =>
      `In or near ${place}. To protect the owners’ privacy we show the area, not the address.`,
    openMap: "See the area on OpenStreetMap",
    sea: "Sea",
  },
  es: {
    features: "Características",
    costs: "Gastos anuales",
    costsText: "Lo que paga hoy la propiedad, aparte de agua, luz y seguro.",
    communityFees: "Comunidad",
    ibi: "IBI",
    garbage: "Basura",
    costsTotal: "Total",
    costsTotalWithoutIbi: "Total sin IBI",
    costsMonth: (price) => `unos ${price} al mes`,
    raisedBy: (amount, percent) => `Sube ${amount} (${percent})`,
    history: "Evolución del precio",
    historyText: "Lo que hemos pedido desde su publicación, según nuestro propio registro.",
    historyNewest: "Los últimos cambios, según nuestro propio registro.",
    historyEarlier: (count) => `Cambios anteriores (${count})`,
    historyLoading: "Cargando los cambios anteriores…",
    historyFailed:
      "Ahora mismo no se pueden cargar los cambios anteriores. Inténtelo de nuevo en un minuto.",
    historyFirst: "Publicación",
    where: "Dónde está",
    whereText: (place) =>
      `En ${place} o alrededores. Por la privacidad de los propietarios mostramos la zona, no la dirección.`,
    openMap: "Ver la zona en OpenStreetMap",
    sea: "Mar",
  },
});
