import { defineMessages } from "#app/lib/i18n/messages.ts";

/** Messages that only visitors need who have chosen pounds and square feet. */
export const unitMessages = defineMessages({
  en: {
    inPounds: (price: string) => `about ${price}`,
    rateOf: (rate: string, date: string, source: string) =>
      `£${rate} to the euro, ${date} (${source}). The price in euros is the one that counts.`,
  },
  es: {
    inPounds: (price) => `unas ${price}`,
    rateOf: (rate, date, source) =>
      `${rate}\u00a0£ por euro, ${date} (${source}). El precio que vale es el de euros.`,
  },
});
