import { CONSENTS } from "#app/lib/account/consents.gen.ts";
import { LENGTHS } from "#app/lib/account/lengths.gen.ts";
import type { Frequency } from "#app/lib/account/saved-searches.ts";
import { defineMessages } from "#app/lib/i18n/messages.ts";

/** The texts about saved searches and the emails about them. */
export const alertMessages = defineMessages({
  en: {
    saveTitle: "Save this search",
    saveLead:
      "We will email you when a matching home comes in, when one is reduced, and when one is for sale again.",
    searched: "What you are looking for",
    name: "Name for this search",
    wrongName: `Please use ${LENGTHS.searchName.min} to ${LENGTHS.searchName.max} characters.`,
    frequency: "How often should we email you?",
    every: (frequency: Frequency) =>
      ({
        at_once: "Straight away, but not at night",
        daily: "Every morning",
        weekly: "Every Monday",
        never: "Not at all",
      })[frequency],
    email: "Email address",
    emailHint: "We will first send you one email to check that you want this.",
    wrongEmail: "Please enter a full email address, such as ann@example.com.",
    /** Only a visitor who is not signed in is asked for consent. */
    privacy: (company: string, signedIn: boolean) =>
      `${company} uses your address to email you about these homes, ${signedIn ? "under our agreement with you (GDPR, article 6.1.b)" : "because you agree to it (GDPR, article 6.1.a)"}, until you stop this with the link in each email, and gives it to nobody but our email and hosting providers. You may at any time see, correct, erase or restrict what we keep, or take it with you, and complain to the Spanish data protection agency (aepd.es).`,
    privacyLink: "More about privacy",
    save: "Save the search",
    signIn: "I have an account: sign in first",
    tooMany: "That was a lot of requests in a short time. Please wait a minute and try again.",
    full: "You have saved as many searches as we can keep. Delete one first.",
    away: "Sorry, that didn’t work. Please try again in a minute.",
    sentTitle: "Check your inbox",
    sentLead:
      "We have sent you an email. Open the link in it to get started. If nothing comes within a few minutes, look in your junk folder. We send no more than three of these emails a day.",
    onward: "Back to the homes",
    confirmTitle: "Shall we email you?",
    confirmLead: CONSENTS.alerts.en,
    confirm: "Yes, let me know",
    confirmedTitle: "We will let you know",
    confirmedLead:
      "You will hear from us when something changes. Each email has a link to stop them.",
    overTitle: "This link can’t be used",
    overLead:
      "It is incomplete, or its search has ended. You can save the search again from its results.",
    manageTitle: "Your emails about homes",
    manageLead: (email: string) => `What we email ${email} about, and how often.`,
    none: "You have not saved any searches yet",
    noneLead: "Look for homes, then press “Save this search” above the list.",
    search: "Look for homes",
    searches: "Saved searches",
    searchesLead: "What we email you about: homes that come in, are reduced or are for sale again.",
    favourites: "Your favourites",
    favouritesLead:
      "We can email you when one changes price, is reserved or sold, is for sale again or leaves our site.",
    change: "Change",
    changeOf: (name: string) => `Change: ${name}`,
    delete: "Delete",
    deleteOf: (name: string) => `Delete: ${name}`,
    endAll: "Stop all these emails",
    endsOn: (day: string) =>
      `You asked for these emails at least a year ago. They will stop on ${day} unless you keep them.`,
    keep: "Keep my searches",
    kept: "We will keep you posted",
    ended: "That had already ended. You can choose below how often we email you.",
    stopped: "We will not email you about homes any more",
    saved: "Saved",
    /** Shown for a search whose frequency is `never`: choosing another one gives consent. */
    agreeing: `By choosing how often, you agree: “${CONSENTS.alerts.en}”`,
  },
  es: {
    saveTitle: "Guardar esta búsqueda",
    saveLead:
      "Le escribimos cuando entre una vivienda que encaje, cuando alguna baje de precio y cuando vuelva a estar en venta.",
    searched: "Lo que busca",
    name: "Cómo quiere llamarla",
    wrongName: `Escriba de ${LENGTHS.searchName.min} a ${LENGTHS.searchName.max} caracteres.`,
    frequency: "¿Con qué frecuencia le escribimos?",
    every: (frequency) =>
      ({
        at_once: "Enseguida, pero no de noche",
        daily: "Cada mañana",
        weekly: "Cada lunes",
        never: "Nunca",
      })[frequency],
    email: "Correo electrónico",
    emailHint: "Primero le enviamos un correo para preguntarle si lo desea.",
    wrongEmail: "Escriba un correo electrónico completo, como ana@example.com.",
    privacy: (company, signedIn) =>
      `${company} usa su dirección para avisarle de esas viviendas, ${signedIn ? "como acordamos (RGPD, artículo 6.1.b)" : "porque usted lo consiente (RGPD, artículo 6.1.a)"}, hasta que se dé de baja con el enlace de cada correo, y no la da a nadie más que a nuestros proveedores de correo y alojamiento. Puede consultar, corregir, borrar, limitar o llevarse lo que guardamos cuando quiera, y reclamar ante la Agencia Española de Protección de Datos (aepd.es).`,
    privacyLink: "Más sobre privacidad",
    save: "Guardar la búsqueda",
    signIn: "Tengo una cuenta: entrar primero",
    tooMany: "Demasiadas peticiones en poco tiempo. Espere un minuto y vuelva a intentarlo.",
    full: "Ha llegado al máximo de búsquedas guardadas. Borre una antes.",
    away: "Ahora mismo no ha sido posible. Vuelva a intentarlo en un minuto, por favor.",
    sentTitle: "Mire su correo",
    sentLead:
      "Le hemos enviado un correo. Abra el enlace que lleva y empezamos. Si no llega en unos minutos, mire entre los no deseados. Tras tres correos así en un día no enviamos más hasta el siguiente.",
    onward: "Volver a las viviendas",
    confirmTitle: "¿Le escribimos?",
    confirmLead: CONSENTS.alerts.es,
    confirm: "Sí, avísenme",
    confirmedTitle: "Le avisaremos",
    confirmedLead:
      "Tendrá noticias nuestras cuando algo cambie. Cada correo lleva un enlace para darse de baja.",
    overTitle: "Este enlace no sirve",
    overLead:
      "No está completo o la búsqueda ya ha terminado. Puede guardarla otra vez desde su lista.",
    manageTitle: "Sus correos sobre viviendas",
    manageLead: (email) => `Sobre qué escribimos a ${email} y con qué frecuencia.`,
    none: "Todavía no ha guardado ninguna búsqueda",
    noneLead: "Busque viviendas y pulse «Guardar esta búsqueda» sobre la lista.",
    search: "Buscar viviendas",
    searches: "Búsquedas guardadas",
    searchesLead:
      "Le escribimos sobre las viviendas nuevas, las rebajadas y las que vuelven a estar en venta.",
    favourites: "Sus favoritas",
    favouritesLead:
      "Podemos escribirle cuando alguna cambie de precio, se reserve o se venda, vuelva a estar en venta o desaparezca de nuestra web.",
    change: "Cambiar",
    changeOf: (name) => `Cambiar: ${name}`,
    delete: "Borrar",
    deleteOf: (name) => `Borrar: ${name}`,
    endAll: "Dejar de recibir estos correos",
    endsOn: (day) =>
      `Nos pidió estos correos hace un año o más. Dejaremos de enviárselos el ${day}, salvo que quiera seguir recibiéndolos.`,
    keep: "Conservar mis búsquedas",
    kept: "Seguiremos escribiéndole",
    ended: "Ya se había acabado. Puede elegir abajo con qué frecuencia le escribimos.",
    stopped: "No volveremos a escribirle sobre viviendas",
    saved: "Guardado",
    agreeing: `Al elegir la frecuencia, usted acepta: «${CONSENTS.alerts.es}»`,
  },
});
