// Made by `npm run api:types` from services/command; not to be edited.

/** What would be right, for each rule that is broken. */
export const REFUSALS = {
  "required": {
    "en": "Please fill this in.",
    "es": "Rellene este campo."
  },
  "too_short": {
    "en": "Please write at least {min} characters.",
    "es": "Escriba al menos {min} caracteres."
  },
  "too_long": {
    "en": "Please write at most {max} characters.",
    "es": "Escriba como máximo {max} caracteres."
  },
  "invalid": {
    "en": "We can’t read this.",
    "es": "No podemos leer este dato."
  },
  "out_of_range": {
    "en": "Please enter {min} to {max} m².",
    "es": "Escriba de {min} a {max} m²."
  },
  "invalid_email": {
    "en": "Please enter a full email address, such as ann@example.com.",
    "es": "Escriba un correo electrónico completo, como ana@example.com."
  },
  "invalid_phone": {
    "en": "Please enter a full telephone number. Start with + if it is not from Spain.",
    "es": "Escriba un número de teléfono completo. Si no es de España, empiece por +."
  },
  "contact_needed": {
    "en": "We need an email address or a telephone number to reply to you.",
    "es": "Necesitamos un correo electrónico o un teléfono para responderle."
  },
  "phone_needed": {
    "en": "Tell us which number to call.",
    "es": "Díganos a qué número podemos llamarle."
  },
  "unknown_home": {
    "en": "We have no home with this reference.",
    "es": "No tenemos ninguna vivienda con esta referencia."
  },
  "invalid_time": {
    "en": "Choose a time from tomorrow, within our opening hours.",
    "es": "Elija una hora a partir de mañana, dentro de nuestro horario."
  },
  "too_many": {
    "en": "At most {max}, please.",
    "es": "Como máximo {max}."
  },
  "not_a_picture": {
    "en": "We can’t read one of the files as a picture. JPEG, PNG and WebP always work.",
    "es": "Uno de los archivos no es una imagen que podamos leer. JPEG, PNG y WebP siempre funcionan."
  },
  "picture_too_large": {
    "en": "One of the pictures is too large: 12 MB or 25 million pixels at most.",
    "es": "Una de las fotos es demasiado grande: como máximo 12 MB o 25 millones de píxeles."
  },
  "unknown_picture": {
    "en": "Please choose the pictures again.",
    "es": "Elija las fotos otra vez."
  }
} as const;
