import type { FormAnswer } from "#app/lib/account/account.ts";
import { CONSENTS } from "#app/lib/account/consents.gen.ts";
import { LENGTHS } from "#app/lib/account/lengths.gen.ts";
import { defineMessages, useMessages } from "#app/lib/i18n/messages.ts";

/** The texts of the sign-in pages. */
export const signInMessages = defineMessages({
  en: {
    loginTitle: "Sign in",
    loginLead:
      "Give us your email address and we will send you a link and a code. There is no password to remember.",
    signupTitle: "Open an account",
    signupLead:
      "Your favourites, notes, viewings and enquiries on every device. Give us your email address and we will send you a link that opens your account.",
    name: "Your name",
    email: "Email address",
    emailHint: "Our email should arrive within a minute.",
    invalidEmail: "Please enter a full email address, such as ann@example.com.",
    longName: `Please use ${LENGTHS.name.max} characters at most.`,
    marketing: CONSENTS.marketing.en,
    privacy: (company: string) =>
      `${company} uses your address to sign you in and to keep what you save here, under our agreement with you (GDPR, article 6.1.b), until you delete your account, and gives it to nobody but our email and hosting providers. You may see, correct, erase, limit or take all of it with you at any time, object, and complain to the Spanish data protection agency (aepd.es).`,
    privacyLink: "More about your data",
    passkey: "Sign in with a passkey",
    passkeyFailed: "That passkey can’t be used here. You can always sign in by email.",
    send: "Send me the email",
    byPassword: "Sign in with a password",
    passwordTitle: "Sign in with a password",
    passwordLead: "If you have set one under “Your details”.",
    password: "Password",
    wrongPassword: "That address and password do not match.",
    noPassword: "No password, or forgotten it?",
    byEmail: "Sign in by email",
    deleted: "Your account has been deleted.",
    "signed-out": "You are signed out.",
    toSignup: "No account yet? Open one",
    toLogin: "Already have an account? Sign in",
    codeTitle: "Check your inbox",
    codeLead:
      "We have sent you an email with a link and a six-digit code. Open the link in this browser, or type the code here. Both work for 15 minutes.",
    code: "Six-digit code",
    wrongCode: "That is not the code in our latest email.",
    signIn: "Sign in",
    noMail: "Nothing after two minutes? Look in your junk folder, or",
    again: "ask for another email",
    limit: "We send no more than six emails an hour: after that, please wait until the hour is up.",
    linkTitle: "One more step and you’re in",
    linkLead: "You have opened the link in our email.",
    present: (email: string) =>
      `You are signed in as ${email}. If the link was sent to another address, the button signs you out and then in with that address.`,
    alreadyTitle: "You are already signed in",
    alreadyLead: (email: string) =>
      `You are signed in as ${email}. This link no longer works, and may have been meant for another address.`,
    toAccount: "Go to my account",
    byOther: "Sign in with another address",
    otherTitle: "Go back to the other browser",
    otherLead:
      "You asked for this email in another browser or on another device, and it can only sign you in there. Type its six-digit code there: that page is still waiting for it.",
    overTitle: "This link or code no longer works",
    overLead:
      "Each works only once, within 15 minutes, and a newer email replaces the last. Nothing is lost: just ask for another.",
    noCookies:
      "This browser blocks cookies, and you can’t sign in without them. Allow them for this site, then ask for another email.",
    tooMany: "There have been too many attempts from your connection. Please wait a few minutes.",
    away: "We can’t sign you in just now. Please try again in a minute; what you typed is still here.",
  },
  es: {
    loginTitle: "Entrar",
    loginLead:
      "Díganos su correo electrónico y le enviamos un enlace y un código. No hace falta recordar ninguna contraseña.",
    signupTitle: "Abrir una cuenta",
    signupLead:
      "Sus favoritas, notas, visitas y consultas en todos sus dispositivos. Díganos su correo electrónico y le enviamos un enlace que abre su cuenta.",
    name: "Su nombre",
    email: "Correo electrónico",
    emailHint: "El correo debería llegar en menos de un minuto.",
    invalidEmail: "Escriba un correo electrónico completo, como ana@example.com.",
    longName: `Escriba como máximo ${LENGTHS.name.max} caracteres.`,
    marketing: CONSENTS.marketing.es,
    privacy: (company) =>
      `${company} usa su dirección para que pueda entrar y para guardar lo que usted guarde aquí, como acordamos (RGPD, artículo 6.1.b), hasta que borre su cuenta, y no la da a nadie más que a nuestros proveedores de correo y alojamiento. Puede consultarlo, corregirlo, borrarlo, limitarlo o llevárselo todo cuando quiera, oponerse y reclamar ante la Agencia Española de Protección de Datos (aepd.es).`,
    privacyLink: "Más sobre sus datos",
    passkey: "Entrar con una llave de acceso",
    passkeyFailed: "Esa llave de acceso no sirve aquí. El correo funciona siempre.",
    send: "Enviarme el correo",
    byPassword: "Entrar con contraseña",
    passwordTitle: "Entrar con contraseña",
    passwordLead: "Para quien ha elegido una en «Sus datos».",
    password: "Contraseña",
    wrongPassword: "Este correo y esta contraseña no coinciden.",
    noPassword: "¿No tiene contraseña o la ha olvidado?",
    byEmail: "Entre por correo",
    deleted: "Su cuenta se ha borrado.",
    "signed-out": "Ha cerrado la sesión.",
    toSignup: "¿Todavía no tiene cuenta? Abra una",
    toLogin: "¿Ya tiene cuenta? Entre",
    codeTitle: "Mire su correo",
    codeLead:
      "Le hemos enviado un correo con un enlace y seis cifras. Pulse el enlace en este navegador o escriba las cifras aquí. Ambos sirven durante 15 minutos.",
    code: "Seis cifras",
    wrongCode: "No son las seis cifras del último correo.",
    signIn: "Entrar",
    noMail: "¿No ha llegado en dos minutos? Mire en el correo no deseado o",
    again: "pida otro correo",
    limit: "Tras seis correos en una hora no enviamos más: espere a que pase.",
    linkTitle: "Una pulsación y ya está dentro",
    linkLead: "Ha abierto el enlace de nuestro correo.",
    present: (email) =>
      `Ha entrado como ${email}. Si el enlace llegó a otro correo, al pulsar el botón sale de esta cuenta y entra en la otra.`,
    alreadyTitle: "Ya ha entrado",
    alreadyLead: (email) =>
      `Ha entrado como ${email}. Este enlace ya no sirve y quizá era para otro correo.`,
    toAccount: "Ir a mi cuenta",
    byOther: "Entrar con otro correo",
    otherTitle: "Vuelva al otro navegador",
    otherLead:
      "Pidió este correo en otro navegador o en otro dispositivo, y solo ese puede entrar con él. Escriba allí las seis cifras del correo; la página las sigue esperando.",
    overTitle: "Este enlace o código ya no sirve",
    overLead:
      "Cada uno sirve una sola vez, durante 15 minutos, y un correo nuevo anula el anterior. No se ha perdido nada: pida otro.",
    noCookies:
      "Este navegador rechaza las cookies y sin ellas nadie puede entrar. Permítalas para esta web y pida otro correo.",
    tooMany: "Ha habido muchos intentos desde su conexión. Espere unos minutos, por favor.",
    away: "Ahora mismo no puede entrar nadie. Inténtelo de nuevo en un minuto; lo que escribió sigue aquí.",
  },
});

/** Returns the message for a form that failed for a reason other than a field's value. */
export function useFailure(answer: FormAnswer | undefined): string | undefined {
  const t = useMessages(signInMessages);
  if (answer?.failure === "too-many") return t.tooMany;
  return answer?.failure === "away" ? t.away : undefined;
}
