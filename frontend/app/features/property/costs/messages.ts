import { counted, defineMessages } from "#app/lib/i18n/messages.ts";

export const costMessages = defineMessages({
  en: {
    title: "What you would pay",
    lead: "The price is not the whole cost. Change the figures to suit you.",
    purchase: "The purchase",
    price: "Price",
    taxed: "Tax on the sale",
    transferTax: "Transfer tax (ITP): the usual case",
    firstSale: "VAT: first sale by a business",
    transferRate: "Rate of transfer tax (ITP)",
    rate: (percent: string, label: string) => `${percent}: ${label}`,
    notary: "Notary, from",
    registry: "Land registry, from",
    costs: "Taxes and costs, about",
    together: "Price and costs",
    caution:
      "A guide only. Notary and registry fees follow their official scales, without reductions or copies: bills usually come out higher. Ask a lawyer or a tax adviser before you sign.",
    cautionTransfer:
      "The transfer tax is charged on the price or the cadastral reference value, whichever is higher.",
    mortgage: "Monthly payments",
    deposit: "Your deposit",
    age: "Your age (optional)",
    years: "Years",
    interestRate: "Annual interest",
    monthly: "a month",
    loan: "You borrow",
    interest: "Total interest",
    repaid: "You pay back",
    mortgageCaution:
      "An example, not an offer: rates, fees and insurance vary by bank, and banks lend less to non-residents.",
    basis: (loan: string, years: number, rate: string) =>
      `${loan} over ${counted("en", years, "year", "years")} at ${rate} a year, in equal monthly payments.`,
    unclear: (years: number) =>
      `Enter a price, a deposit below the price, ${years > 1 ? `1 to ${years} years` : "1 year"} and interest up to 20%.`,
    unclearAge: (least: number, most: number) => `Enter an age from ${least} to ${most}, or none.`,
    tooLate: (age: number) =>
      `Banks usually want a loan paid back by the age of ${age}, so there is no payment to show.`,
    lastAge: (age: number) =>
      `Most want it paid back by the age of ${age}: enter yours and the term adjusts.`,
    unclearPrice: "Enter a price.",
    sources: "Where these figures come from",
    ofBand: (share: string) => `${share} of the band`,
    entered: (date: string) => `entered on ${date}`,
    inYears: (years: number) => counted("en", years, "year", "years"),
  },
  es: {
    title: "Cuánto suma todo",
    lead: "Una cosa es el precio y otra la cuenta completa. Cambie las cifras a su medida.",
    purchase: "La compra",
    price: "Precio",
    taxed: "Impuesto de la venta",
    transferTax: "ITP: lo habitual",
    firstSale: "IVA: primera venta de una empresa",
    transferRate: "Tipo del ITP",
    rate: (percent, label) => `${percent}: ${label}`,
    notary: "Notaría, desde",
    registry: "Registro de la Propiedad, desde",
    costs: "Impuestos y gastos, unos",
    together: "Precio y gastos",
    caution:
      "Solo es orientativo. Notaría y registro, según arancel, sin rebajas ni copias: las facturas suelen ser más altas. Consulte a un abogado o asesor fiscal antes de firmar.",
    cautionTransfer:
      "El ITP se aplica sobre el mayor de dos importes: el precio o el valor de referencia catastral.",
    mortgage: "La hipoteca, mes a mes",
    deposit: "Lo que usted aporta",
    age: "Su edad (opcional)",
    years: "Años",
    interestRate: "Interés anual",
    monthly: "al mes",
    loan: "Pide prestado",
    interest: "Intereses en total",
    repaid: "Devuelve",
    mortgageCaution:
      "Es un ejemplo del cálculo, no una oferta: cada banco tiene su tipo, sus comisiones y sus seguros, y presta menos a quien reside fuera.",
    basis: (loan, years, rate) =>
      `${loan} a ${counted("es", years, "año", "años")} al ${rate} anual, en cuotas mensuales iguales.`,
    unclear: (years) =>
      `Indique un precio, una aportación inferior al precio, ${years > 1 ? `de 1 a ${years} años` : "1 año"} y un interés de hasta el 20 %.`,
    unclearAge: (least, most) => `Indique una edad de ${least} a ${most} años, o ninguna.`,
    tooLate: (age) =>
      `Los bancos suelen pedir que el préstamo quede devuelto a los ${age} años, así que no hay cuota que mostrar.`,
    lastAge: (age) =>
      `La mayoría pide que quede devuelto a los ${age} años: indique su edad y el plazo se ajusta.`,
    unclearPrice: "Indique un precio.",
    sources: "En qué se basan estas cifras",
    ofBand: (share) => `${share} del tramo`,
    entered: (date) => `anotado el ${date}`,
    inYears: (years) => counted("es", years, "año", "años"),
  },
});
