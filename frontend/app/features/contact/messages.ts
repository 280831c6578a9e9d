import { defineMessages } from "#app/lib/i18n/messages.ts";

export const contactMessages = defineMessages({
  en: {
    ways: "Ways to reach us",
    whatsapp: "WhatsApp",
    phone: "Telephone",
    email: "Email",
    office: "The office",
    hours: "Opening hours",
    map: "View on OpenStreetMap",
    newWindow: "opens in a new window",
    coordinates: "Coordinates for your sat nav",
    write: "Write to us",
  },
  es: {
    ways: "Cómo contactar",
    whatsapp: "WhatsApp",
    phone: "Teléfono",
    email: "Correo electrónico",
    office: "La oficina",
    hours: "Horario",
    map: "Ver en OpenStreetMap",
    newWindow: "se abre en otra ventana",
    coordinates: "Coordenadas para el GPS",
    write: "Escríbanos",
  },
});
