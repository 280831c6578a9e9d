// Made by `npm run api:types` from services/command; not to be edited.

/** What is kept of visitors, why, and for how many days: without any, until its owner deletes it. */
export const KEPT = [
  {
    "key": "enquiry",
    "days": 730,
    "what": {
      "en": "Enquiries: your name, address, telephone numbers, message, the home that it is about, the page that you sent it from, and which words about your data you accepted; for a valuation where it is, what it is, and your pictures of it",
      "es": "Consultas: su nombre, correo, teléfonos, mensaje, la vivienda de la que trata, la página desde la que la envió y qué texto sobre sus datos aceptó; para una valoración, dónde está, qué es y sus fotos"
    },
    "why": {
      "en": "To answer you, as you ask before a possible contract (GDPR, article 6.1.b)",
      "es": "Para responderle, a petición suya y antes de un posible contrato (RGPD, artículo 6.1.b)"
    }
  },
  {
    "key": "picture",
    "days": 1,
    "what": {
      "en": "Pictures for a valuation that you did not send in the end",
      "es": "Fotos para una valoración que al final no envió"
    },
    "why": {
      "en": "To send them with it (GDPR, article 6.1.b)",
      "es": "Para enviarlas con ella (RGPD, artículo 6.1.b)"
    }
  },
  {
    "key": "account",
    "what": {
      "en": "Your account: address, name, language, passkeys, a fingerprint of the password if you chose one, favourites, notes, and homes that you compared, hid or looked at",
      "es": "Su cuenta: correo, nombre, idioma, llaves de acceso, una huella de la contraseña si eligió una, favoritas, notas y viviendas que comparó, ocultó o miró"
    },
    "why": {
      "en": "To keep for you what you save, as you and we agreed (GDPR, article 6.1.b)",
      "es": "Para guardarle lo que usted guarda, como acordamos (RGPD, artículo 6.1.b)"
    }
  },
  {
    "key": "saved_search",
    "days": 7,
    "what": {
      "en": "Searches that you saved: your address, the IP address that asked, what they look for and how often you want to hear of them. Those that nobody agreed to, and those that you ended without an account, go after this time. Without an account we ask you after a year, and end what you do not answer for within three weeks; the others go when you delete them",
      "es": "Búsquedas guardadas: su correo, la dirección IP que lo pidió, lo que buscan y con qué frecuencia quiere noticias. Las que nadie confirmó y las que usted canceló sin cuenta se borran tras este plazo. Si no tiene cuenta, al cabo de un año le preguntamos y damos de baja lo que no conteste en tres semanas; las demás, cuando usted las borre"
    },
    "why": {
      "en": "To tell you of homes, because you agree (GDPR, article 6.1.a) or, in an account, as you and we agreed (6.1.b)",
      "es": "Para avisarle de viviendas, porque usted lo consiente (RGPD, artículo 6.1.a) o, en una cuenta, como acordamos (6.1.b)"
    }
  },
  {
    "key": "subscriber",
    "days": 30,
    "what": {
      "en": "Your address for such emails, without an account: until no search of yours is left, and at least for this time from when you first gave it",
      "es": "Su correo para esos avisos, sin cuenta: hasta que no quede ninguna búsqueda suya y, como mínimo, durante este plazo desde que lo dio"
    },
    "why": {
      "en": "So that the links in emails that you have still end them (GDPR, article 6.1.f)",
      "es": "Para que los enlaces de los correos que conserva sigan dándole de baja (RGPD, artículo 6.1.f)"
    }
  },
  {
    "key": "alert_mail",
    "days": 400,
    "what": {
      "en": "Which homes you were told of, and when",
      "es": "De qué viviendas le avisamos y cuándo"
    },
    "why": {
      "en": "So that nothing is told twice (GDPR, article 6.1.f)",
      "es": "Para no avisarle dos veces de lo mismo (RGPD, artículo 6.1.f)"
    }
  },
  {
    "key": "consent",
    "days": 1095,
    "what": {
      "en": "Your yes to news and offers, or to emails about a search: when, on which page, in which language, to which words, and the IP addresses that asked and confirmed; counted from when you end it",
      "es": "Su sí a novedades y ofertas, o a avisos de una búsqueda: cuándo, en qué página, en qué idioma, a qué palabras y las direcciones de red que lo pidieron y lo confirmaron; desde que lo retira"
    },
    "why": {
      "en": "Because you agreed (GDPR, article 6.1.a), and then as proof of it",
      "es": "Porque usted aceptó (RGPD, artículo 6.1.a) y, después, como prueba de ello"
    }
  },
  {
    "key": "blocked_consent",
    "days": 1095,
    "what": {
      "en": "That yes with your address, after your account, the enquiry or the search that you gave it with is erased: blocked, so that nothing on this site reads it",
      "es": "Ese sí junto con su correo, una vez borrada la cuenta, la consulta o la búsqueda con la que lo dio: bloqueado, de modo que nada de esta web lo lee"
    },
    "why": {
      "en": "To prove it to a court or an authority that asks (GDPR, article 6.1.c; LOPDGDD, article 32)",
      "es": "Para probarlo ante un juez o una autoridad que lo pida (RGPD, artículo 6.1.c; LOPDGDD, artículo 32)"
    }
  },
  {
    "key": "blocked_enquiry",
    "days": 1095,
    "what": {
      "en": "Enquiries that were settled when you deleted your account: blocked, so that nothing on this site reads them",
      "es": "Consultas que ya estaban resueltas cuando borró su cuenta: bloqueadas, de modo que nada de esta web las lee"
    },
    "why": {
      "en": "For a court or an authority that asks (GDPR, article 6.1.c; LOPDGDD, article 32)",
      "es": "Para un juez o una autoridad que lo pida (RGPD, artículo 6.1.c; LOPDGDD, artículo 32)"
    }
  },
  {
    "key": "session",
    "days": 90,
    "what": {
      "en": "Where you are signed in: what your browser calls itself; counted from when it was last used",
      "es": "Dónde ha entrado: cómo se llama su navegador; desde su último uso"
    },
    "why": {
      "en": "To keep you signed in, and to show you where you are (GDPR, article 6.1.b)",
      "es": "Para que siga dentro y vea dónde lo está (RGPD, artículo 6.1.b)"
    }
  },
  {
    "key": "device",
    "days": 400,
    "what": {
      "en": "A mark of the browsers that you signed in with",
      "es": "Una marca de los navegadores con los que entró"
    },
    "why": {
      "en": "So that nobody can keep you out by asking for emails in your name (GDPR, article 6.1.f)",
      "es": "Para que nadie le impida entrar pidiendo correos en su nombre (RGPD, artículo 6.1.f)"
    }
  },
  {
    "key": "sign_in",
    "days": 1,
    "what": {
      "en": "That you asked to be signed in: your address, the IP address that asked and, for a new account, your name",
      "es": "Que pidió entrar: su correo, la dirección IP y, para una cuenta nueva, su nombre"
    },
    "why": {
      "en": "To send you the email, and to stop who asks too often (GDPR, article 6.1.b and f)",
      "es": "Para enviarle el correo y frenar a quien lo pide demasiado (RGPD, artículo 6.1.b y f)"
    }
  },
  {
    "key": "job",
    "days": 30,
    "what": {
      "en": "That an email was sent, or why it was not, and, of one that asks about a search, the IP address that asked for it; never what it said",
      "es": "Que se envió un correo, o por qué no, y, de uno que pide confirmar una búsqueda, la dirección IP desde la que se pidió; nunca lo que decía"
    },
    "why": {
      "en": "To find out what went wrong, and to stop who asks too often (GDPR, article 6.1.f)",
      "es": "Para averiguar qué falló y frenar a quien pide demasiado (RGPD, artículo 6.1.f)"
    }
  },
  {
    "key": "ceremony",
    "days": 1,
    "what": {
      "en": "The question that a passkey answers",
      "es": "La pregunta a la que responde una llave de acceso"
    },
    "why": {
      "en": "To know that the answer is yours (GDPR, article 6.1.b)",
      "es": "Para saber que la respuesta es suya (RGPD, artículo 6.1.b)"
    }
  },
  {
    "key": "idempotency_key",
    "days": 1,
    "what": {
      "en": "A fingerprint of an enquiry that was sent",
      "es": "Una huella de la consulta enviada"
    },
    "why": {
      "en": "So that a double press is one enquiry (GDPR, article 6.1.f)",
      "es": "Para que una doble pulsación sea una sola consulta (RGPD, artículo 6.1.f)"
    }
  }
] as const;
