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
    marketing: "Tell me by email about homes like this. I can end that in every mail.",
    line: (reference: string, title: string) => `Hello, I am interested in ${reference}: ${title}.`,
    send: "Send enquiry",
    sending: "Sending…",
    "too-many":
      "A lot was sent from here in a short time. Wait a minute and send it again, or call us:",
    away: "We could not send it. Nothing you wrote is lost: try again in a moment, or call us:",
    privacy: (company: string) =>
      `${company} uses this to answer you, at your request. Nobody but our mail and hosting providers gets it. You may see, correct or erase it at any time.`,
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
    marketing: "Quiero recibir por correo viviendas parecidas. Puedo darme de baja en cada envío.",
    line: (reference, title) => `Hola, me interesa la referencia ${reference}: ${title}.`,
    send: "Enviar consulta",
    sending: "Enviando…",
    "too-many":
      "Se ha enviado mucho desde aquí en poco tiempo. Espere un minuto y vuelva a enviarlo, o llámenos:",
    away: "No hemos podido enviarlo. No se ha perdido nada: pruebe otra vez en un momento, o llámenos:",
    privacy: (company) =>
      `${company} lo usa para responderle, a petición suya. No lo recibe nadie más que nuestros proveedores de correo y alojamiento. Puede consultarlo, corregirlo o borrarlo cuando quiera.`,
    more: "Política de privacidad",
  },
});
