import { defineMessages } from "#app/lib/i18n/messages.ts";

/** The texts about the sender's details stored on the device. */
export const senderMessages = defineMessages({
  en: {
    forget: "Forget my details",
    remembered:
      "This device remembers your name and contact details, so that you need not type them again.",
    forgotten: "This device has forgotten your details.",
  },
  es: {
    forget: "Olvidar mis datos",
    remembered:
      "Este dispositivo recuerda su nombre y sus datos de contacto, para que no tenga que volver a escribirlos.",
    forgotten: "Este dispositivo ha olvidado sus datos.",
  },
});
