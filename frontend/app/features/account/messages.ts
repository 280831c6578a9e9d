import { defineMessages } from "#app/lib/i18n/messages.ts";

export const accountMessages = defineMessages({
  en: {
    loginTitle: "Sign in to the client area",
    signupTitle: "Open an account",
    soon: "Not open yet",
    loginLead:
      "We are still building the client area, so there is nothing to sign in to today. Until it opens, the people in our office do all of this for you.",
    signupLead:
      "We are still building the client area, so there are no accounts to open today. Until it opens, the people in our office do all of this for you.",
    holds: "What it will hold",
    buyers: "For buyers: the homes you keep, your viewings, and the papers of your purchase",
    sellers: "For sellers: how your home is doing, who has come to see it, and what was offered",
    owners: "For owners that Proadner looks after: bills, accounts and minutes of your community",
    reach: "Until then, ask us",
    whatsapp: "WhatsApp",
    write: "Write to us",
    homes: "See the homes for sale",
    toSignup: "What an account will be for",
    toLogin: "Back to signing in",
  },
  es: {
    loginTitle: "Entrar en el área de clientes",
    signupTitle: "Abrir una cuenta",
    soon: "Todavía no está abierta",
    loginLead:
      "Seguimos construyendo el área de clientes, así que hoy no hay dónde entrar. Hasta que abra, las personas de nuestra oficina se ocupan de todo esto.",
    signupLead:
      "Seguimos construyendo el área de clientes, así que hoy no se pueden abrir cuentas. Hasta que abra, las personas de nuestra oficina se ocupan de todo esto.",
    holds: "Lo que encontrará en el área",
    buyers: "Si compra: las viviendas que guarda, sus visitas y los documentos de su compra",
    sellers: "Si vende: cómo va su casa, quién ha venido a verla y qué se ha ofrecido",
    owners: "Si Proadner administra su casa: recibos, cuentas y actas de su comunidad",
    reach: "Hasta entonces, pregúntenos",
    whatsapp: "WhatsApp",
    write: "Escríbanos",
    homes: "Ver las viviendas en venta",
    toSignup: "Para qué servirá una cuenta",
    toLogin: "Volver a la entrada",
  },
});
