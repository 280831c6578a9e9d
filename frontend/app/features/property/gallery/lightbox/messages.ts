import { defineMessages } from "#app/lib/i18n/messages.ts";

export const lightboxMessages = defineMessages({
  en: {
    close: "Close the photographs",
    previous: "Previous photograph",
    next: "Next photograph",
    zoomIn: "Enlarge",
    zoomOut: "Reduce",
    fit: "Fit to the screen",
    zoom: (percent: number) => `Enlarged to ${percent} per cent`,
    position: (index: number, count: number) => `Photograph ${index} of ${count}`,
    thumbnails: "All photographs, small",
    broken: "This photograph can't be shown.",
    none: "There are no photographs to show.",
  },
  es: {
    close: "Cerrar las fotos",
    previous: "Foto anterior",
    next: "Foto siguiente",
    zoomIn: "Ampliar",
    zoomOut: "Reducir",
    fit: "Ajustar a la pantalla",
    zoom: (percent) => `Ampliada al ${percent} por ciento`,
    position: (index, count) => `Foto ${index} de ${count}`,
    thumbnails: "Todas las fotos, en pequeño",
    broken: "Esta foto no se puede mostrar.",
    none: "No hay fotos que mostrar.",
  },
});
