import { defineMessages } from "#app/lib/i18n/messages.ts";

/** Texts of the video and the virtual tour of a home. */
export const watchMessages = defineMessages({
  en: {
    video: "Video",
    tour: "Virtual tour",
    both: "Video and virtual tour",
    startVideo: "Play the video",
    startTour: "Take the virtual tour",
    whose: (service: string) =>
      `It is on ${service} and loads when you press the button. ${service} then knows of your visit and may store its own cookies.`,
    of: (what: string, title: string) => `${what}: ${title}`,
  },
  es: {
    video: "Vídeo",
    tour: "Visita virtual",
    both: "Vídeo y visita virtual",
    startVideo: "Ver el vídeo",
    startTour: "Empezar la visita virtual",
    whose: (service) =>
      `Lo muestra ${service} y se carga cuando usted pulsa. Entonces ${service} sabe de su visita y puede guardar cookies propias.`,
    of: (what, title) => `${what}: ${title}`,
  },
});
