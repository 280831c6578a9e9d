import { CONSENTS } from "#app/lib/account/consents.gen.ts";
import { defineMessages } from "#app/lib/i18n/messages.ts";

/** What a form of an enquiry says. */
export const enquiryFormMessages = defineMessages({
  en: {
    name: "Your name",
    firstName: "First name",
    lastName: "Last name",
    email: "Your email",
    phone: "Phone number",
    mobile: "Mobile",
    message: "Message",
    contactHint: "An email or a number, so that we can answer.",
    marketing: CONSENTS.marketing.en,
    line: (reference: string, title: string) => `Hello, I am interested in ${reference}: ${title}.`,
    send: "Send enquiry",
    sending: "Sending…",
    "too-many":
      "A lot has been sent from here in a short time. Wait a minute and send it again, or call us:",
    away: "We could not send it. Nothing you wrote is lost: try again in a moment, or call us:",
    privacy: (company: string) =>
      `${company} uses this to answer you, at your request and before a possible contract (GDPR, article 6.1.b), keeps it for two years, and gives it to nobody but our email and hosting providers. You may see, correct, erase, limit or take it with you at any time, object, and complain to the Spanish data protection agency (aepd.es).`,
    more: "Privacy policy",
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
    line: (reference, title) => `Hola, me interesa la referencia ${reference}: ${title}.`,
    send: "Enviar consulta",
    sending: "Enviando…",
    "too-many":
      "Se ha enviado mucho desde aquí en poco tiempo. Espere un minuto y vuelva a enviarlo, o llámenos:",
    away: "No hemos podido enviarlo. No se ha perdido nada: pruebe otra vez en un momento, o llámenos:",
    privacy: (company) =>
      `${company} lo usa para responderle, a petición suya y antes de un posible contrato (RGPD, artículo 6.1.b), lo guarda dos años y no lo da a nadie más que a nuestros proveedores de correo y alojamiento. Puede consultarlo, corregirlo, borrarlo, limitarlo o llevárselo cuando quiera, oponerse y reclamar ante la Agencia Española de Protección de Datos (aepd.es).`,
    more: "Política de privacidad",
  },
});
