import { defineMessages } from "#app/lib/i18n/messages.ts";

/** Texts of a home's rooms and floor plan. */
export const roomsMessages = defineMessages({
  en: {
    title: "Rooms and floor plan",
    rooms: "Rooms",
    plan: "Floor plan",
    room: "Room",
    floor: "Floor",
    area: "Area",
    seePlan: "See the floor plan",
  },
  es: {
    title: "Estancias y plano",
    rooms: "Estancias",
    plan: "Plano",
    room: "Estancia",
    floor: "Planta",
    area: "Superficie",
    seePlan: "Ver el plano",
  },
});
