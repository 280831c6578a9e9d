import { defineMessages, plural } from "#app/lib/i18n/messages.ts";

export const comparedMessages = defineMessages({
  en: {
    title: "How the price compares",
    range: (count: string, place: string, lowest: string, highest: string, median: string) =>
      `The asking prices of ${count} comparable homes in ${place} run from ${lowest} to ${highest}; the median is ${median}.`,
    standing: (price: string, standing: string) => `At ${price}, this one is ${standing}.`,
    below: (percent: number) => `${percent}% below that`,
    above: (percent: number) => `${percent}% above that`,
    same: "level with that",
    which: (type: string, least: string, most: string, place: string) =>
      `${type} of ${least} to ${most}\u00a0m² in ${place} that are for sale or under offer with us`,
    andSold: (which: string, count: number, since: string) =>
      `${which}, and ${plural(count, "one", `${count}`)} sold since ${since}, at the last asking price.`,
    asked: "These are asking prices; what was paid in the end may differ.",
    median: "Median",
  },
  es: {
    title: "El precio, comparado",
    range: (count, place, lowest, highest, median) =>
      `Los precios pedidos por ${count} viviendas comparables en ${place} van de ${lowest} a ${highest}; la mediana es de ${median}.`,
    standing: (price, standing) => `Esta, por ${price}, está ${standing}.`,
    below: (percent) => `un ${percent}\u00a0% por debajo`,
    above: (percent) => `un ${percent}\u00a0% por encima`,
    same: "a la par",
    which: (type, least, most, place) =>
      `${type} de ${least} a ${most}\u00a0m² en ${place}, en venta o con reserva en nuestra web`,
    andSold: (which, count, since) =>
      `${which}, y ${plural(count, "una venta", `${count} ventas`)} desde el ${since}, con el último precio pedido.`,
    asked: "Son precios de oferta; lo que se pagó al final puede ser distinto.",
    median: "Mediana",
  },
});
