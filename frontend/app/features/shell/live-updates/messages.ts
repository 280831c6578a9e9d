import { formatPrice } from "#app/lib/format/format.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";
import { defineMessages, messagesFor } from "#app/lib/i18n/messages.ts";
import type { OfferChange } from "./home-changes.ts";

const liveMessages = defineMessages({
  en: {
    price: (ref: string, price: string) => `The price of ${ref} is now ${price}.`,
    onRequest: (ref: string) => `The price of ${ref} is now on request.`,
    for_sale: (ref: string) => `${ref} is for sale again.`,
    under_offer: (ref: string) => `${ref} is now reserved.`,
    sale_agreed: (ref: string) => `Sale now agreed on ${ref}.`,
    pending: (ref: string) => `${ref} is now pending.`,
    sold: (ref: string) => `${ref} is now sold.`,
    many: (count: number) => `${count} homes on this page have changed.`,
  },
  es: {
    price: (ref, price) => `El precio de ${ref} es ahora ${price}.`,
    onRequest: (ref) => `El precio de ${ref} es ahora a consultar.`,
    for_sale: (ref) => `${ref} vuelve a estar en venta.`,
    under_offer: (ref) => `${ref} está ahora reservado.`,
    sale_agreed: (ref) => `${ref} tiene ahora la venta acordada.`,
    pending: (ref) => `${ref} está ahora pendiente de firma.`,
    sold: (ref) => `${ref} está ahora vendido.`,
    many: (count) => `Han cambiado ${count} viviendas de esta página.`,
  },
});

/** More changes than this are counted and not named. */
const MAX_NAMED = 3;

/** Describes changes in one or more sentences. */
export function changesInWords(changes: readonly OfferChange[], locale: Locale): string {
  const t = messagesFor(liveMessages, locale);
  if (changes.length > MAX_NAMED) return t.many(changes.length);
  return changes
    .flatMap(({ reference, price, status }) => [
      price === undefined
        ? []
        : price === null
          ? t.onRequest(reference)
          : t.price(reference, formatPrice(locale, price)),
      status ? t[status](reference) : [],
    ])
    .flat()
    .join(" ");
}
