import { defineMessages } from "#app/lib/i18n/messages.ts";

/** The texts of the service worker. */
export const workerMessages = defineMessages({
  en: {
    stored: (time: string) =>
      `You are offline. This page is as it was on ${time}: prices may have changed.`,
    again: "Try again",
    title: "You are offline",
    none: "This page is not saved on this device. It will be back when you are online.",
    some: "Pages you can read now",
  },
  es: {
    stored: (time) =>
      `Sin conexión. Esta página está como estaba el ${time}: los precios pueden haber cambiado.`,
    again: "Reintentar",
    title: "Sin conexión",
    none: "Esta página no se ha guardado en este dispositivo. Volverá a verse con conexión.",
    some: "Páginas que puede leer ahora",
  },
});
