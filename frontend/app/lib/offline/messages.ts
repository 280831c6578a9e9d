import { defineMessages } from "#app/lib/i18n/messages.ts";

export const offlineMessages = defineMessages({
  en: {
    since: (time: string) =>
      `You have been offline since ${time}. Prices may have changed since then.`,
  },
  es: {
    since: (time) =>
      `Sin conexión desde ${/^0?1:/.test(time) ? "la" : "las"} ${time}. Los precios pueden haber cambiado desde entonces.`,
  },
});
