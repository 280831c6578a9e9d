import { CONSENTS } from "#app/lib/account/consents.gen.ts";
import { defineMessages } from "#app/lib/i18n/messages.ts";

/** The texts of the enquiry form. */
export const enquiryFormMessages = defineMessages({
  en: {
    name: "Your name",
    firstName: "First name",
    lastName: "Last name",
    email: "Your email",
    phone: "Phone number",
    mobile: "Mobile",
    message: "Message",
    contactHint: "An email address or phone number, so that we can reply.",
    marketing: CONSENTS.marketing.en,
    send: "Send enquiry",
    sending: "Sending…",
    "too-many":
      "Too many messages have been sent from here in a short time. Wait a minute and send yours again, or call us:",
    "too-large": "That is too long to send. Shorten your message to 2,000 characters, or call us:",
    away: "We could not send it. Nothing you wrote is lost: try again in a moment, or call us:",
    privacy: (company: string) => CONSENTS.privacy.en.replace("{company}", () => company),
    privacyLink: "Privacy policy",
  },
  es: {
    name: "Su nombre",
    firstName: "Nombre",
    lastName: "Apellidos",
    email: "Su correo electrónico",
    phone: "Número de teléfono",
    mobile: "Móvil",
    message: "Mensaje",
    contactHint: "Un correo o un teléfono, para poder responderle.",
    marketing: CONSENTS.marketing.es,
    send: "Enviar consulta",
    sending: "Enviando…",
    "too-many":
      "Se han enviado demasiados mensajes desde aquí en poco tiempo. Espere un minuto y vuelva a enviar el suyo, o llámenos:",
    "too-large":
      "Es demasiado largo para enviarlo. Acorte su mensaje a 2.000 caracteres, o llámenos:",
    away: "No hemos podido enviarlo. No se ha perdido nada: pruebe otra vez en un momento, o llámenos:",
    privacy: (company) => CONSENTS.privacy.es.replace("{company}", () => company),
    privacyLink: "Política de privacidad",
  },
});
