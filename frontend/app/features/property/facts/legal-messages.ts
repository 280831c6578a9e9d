import { defineMessages } from "#app/lib/i18n/messages.ts";

export const legalMessages = defineMessages({
  en: {
    title: "Before you sign",
    priceTitle: "Price",
    sheetTitle: "Information sheet (DIA)",
    sheet:
      "You have a right to a copy of the abridged information document of this home, free of charge: Decree 218/2005 of the Junta de Andalucía.",
    sheetAsk: "Ask for the sheet",
    sheetLine: (reference: string) =>
      `Please send me the abridged information document (DIA) of ${reference}.`,
    depositTitle: "Before any deposit",
    deposit:
      "You receive in writing who sells, the whole price, useful and built areas, age, services, energy certificate, accessibility, occupation and charges: Law 12/2023, articles 30 and 31.",
    certificateTitle: "Energy certificate",
    certificate:
      "The label of every home that we advertise follows Royal Decree 390/2021. The certificate itself is at your disposal in the office.",
  },
  es: {
    title: "Antes de firmar",
    priceTitle: "Precio",
    sheetTitle: "Documento informativo (DIA)",
    sheet:
      "El consumidor tiene derecho a que se le entregue gratuitamente una copia del correspondiente documento informativo abreviado: Decreto 218/2005 de la Junta de Andalucía.",
    sheetAsk: "Pedir el documento",
    sheetLine: (reference) =>
      `Les ruego que me envíen el documento informativo abreviado (DIA) de ${reference}.`,
    depositTitle: "Antes de cualquier señal",
    deposit:
      "Recibirá por escrito quién vende, el precio total, las superficies útil y construida, la antigüedad, los servicios, el certificado energético, la accesibilidad, la ocupación y las cargas: Ley 12/2023, artículos 30 y 31.",
    certificateTitle: "Certificado energético",
    certificate:
      "La etiqueta de cada vivienda que anunciamos sigue el Real Decreto 390/2021. El certificado está a su disposición en la oficina.",
  },
});
