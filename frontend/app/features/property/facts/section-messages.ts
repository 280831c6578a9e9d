import { defineMessages } from "#app/lib/i18n/messages.ts";

/** Words of what stands further down on one property's page. */
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
    historyText: "Every change since we listed it, from our own log.",
    historyFirst: "Listed",
    where: "Where it is",
    whereText: (place: string) =>
      `In or near ${place}. To protect the owners' privacy we show the area, not the address.`,
    openMap: "Open the neighbourhood on OpenStreetMap",
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
    historyText: "Todos los cambios desde su publicación, según nuestro propio registro.",
    historyFirst: "Publicación",
    where: "Dónde está",
    whereText: (place) =>
      `En ${place} o alrededores. Por la privacidad de los propietarios mostramos la zona, no la dirección.`,
    openMap: "Ver la zona en OpenStreetMap",
    sea: "Mar",
  },
});
