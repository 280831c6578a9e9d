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
    times: "Times that suit you",
    day: (number: number) => `Day ${number}`,
    time: (number: number) => `Time ${number}`,
    timesHint: "Monday to Friday, 9.30–14.00 and 16.30–19.00; in July and August 9.00–15.00.",
    contactHint: "An email or a number, so that we can answer.",
    marketing: "Tell me by email about homes like this. I can end that in every mail.",
    line: (reference: string, title: string) => `Hello, I am interested in ${reference}: ${title}.`,
    send: "Send enquiry",
    sending: "Sending…",
    tooMany:
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
    times: "Horas que le convienen",
    day: (number) => `Día ${number}`,
    time: (number) => `Hora ${number}`,
    timesHint: "De lunes a viernes, 9.30–14.00 y 16.30–19.00; en julio y agosto, 9.00–15.00.",
    contactHint: "Un correo o un teléfono, para poder responderle.",
    marketing: "Quiero recibir por correo viviendas parecidas. Puedo darme de baja en cada envío.",
    line: (reference, title) => `Hola, me interesa la referencia ${reference}: ${title}.`,
    send: "Enviar consulta",
    sending: "Enviando…",
    tooMany:
      "Se ha enviado mucho desde aquí en poco tiempo. Espere un minuto y vuelva a enviarlo, o llámenos:",
    away: "No hemos podido enviarlo. No se ha perdido nada: pruebe otra vez en un momento, o llámenos:",
    privacy: (company) =>
      `${company} lo usa para responderle, a petición suya. No lo recibe nadie más que nuestros proveedores de correo y alojamiento. Puede consultarlo, corregirlo o borrarlo cuando quiera.`,
    more: "Política de privacidad",
  },
});
