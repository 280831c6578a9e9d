import { defineMessages } from "#app/lib/i18n/messages.ts";

/** Words of what stands further down on one property's page. */
export const moreMessages = defineMessages({
  en: {
    features: "Features",
    costs: "Costs in a year",
    costsText: "What the owner pays today, apart from water, light and insurance.",
    communityFees: "Community fees",
    ibi: "IBI (property tax)",
    garbage: "Rubbish collection",
    costsTotal: "Together",
    costsMonth: (price: string) => `about ${price} a month`,
    raisedBy: (amount: string, percent: string) => `Raised by ${amount} (${percent})`,
    history: "How the price has moved",
    historyText: "Every change since we listed it, from our own log.",
    historyFirst: "Listed",
    where: "Where it is",
    whereText: (place: string) =>
      `In or near ${place}. To spare the owners, this is the neighbourhood and not the door.`,
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
    costsTotal: "En total",
    costsMonth: (price) => `unos ${price} al mes`,
    raisedBy: (amount, percent) => `Sube ${amount} (${percent})`,
    history: "Evolución del precio",
    historyText: "Todos los cambios desde que la publicamos, según nuestro propio registro.",
    historyFirst: "Publicada",
    where: "Dónde está",
    whereText: (place) =>
      `En ${place} o alrededores. Por respeto a los propietarios, mostramos la zona y no la puerta.`,
    openMap: "Ver la zona en OpenStreetMap",
    sea: "Mar",
  },
});
