import { defineMessages } from "#app/lib/i18n/messages.ts";

export const signInMessages = defineMessages({
  en: {
    title: "Sign in",
    lead: "The operators' console of Almijara.",
    ended: "Your session has ended. What you did after that was not carried out.",
    name: "Operator's name",
    password: "Password",
    code: "Code",
    codeHint: "Six digits from your authenticator app. Each code works once.",
    signIn: "Sign in",
    wrong: "Name, password or code is wrong, or the code was already used. Wait for the next code.",
    needName: "Your name is missing.",
    needPassword: "Your password is missing.",
    needCode: "The code has six digits.",
  },
  es: {
    title: "Iniciar sesión",
    lead: "La consola de operadores de Almijara.",
    ended: "Su sesión ha terminado. Lo que se pulsó después no se ha hecho.",
    name: "Nombre de operador",
    password: "Contraseña",
    code: "Código",
    codeHint: "Seis cifras de su aplicación de autenticación. Cada código vale una vez.",
    signIn: "Iniciar sesión",
    wrong:
      "El nombre, la contraseña y el código no concuerdan, o el código ya se usó. Espere al siguiente.",
    needName: "Falta su nombre.",
    needPassword: "Falta su contraseña.",
    needCode: "El código tiene seis cifras.",
  },
});
