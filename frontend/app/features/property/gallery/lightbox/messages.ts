import { defineMessages } from "#app/lib/i18n/messages.ts";

export const lightboxMessages = defineMessages({
  en: {
    close: "Close the images",
    previous: "Previous image",
    next: "Next image",
    zoomIn: "Zoom in",
    zoomOut: "Zoom out",
    fit: "Fit to screen",
    zoom: (percent: number) => `Zoomed to ${percent} per cent`,
    position: (index: number, count: number) => `Image ${index} of ${count}`,
    thumbnails: "Thumbnails",
    broken: "This image can’t be shown.",
    none: "There are no images to show.",
  },
  es: {
    close: "Cerrar las imágenes",
    previous: "Imagen anterior",
    next: "Imagen siguiente",
    zoomIn: "Ampliar",
    zoomOut: "Reducir",
    fit: "Ajustar a la pantalla",
    zoom: (percent) => `Ampliada al ${percent} por ciento`,
    position: (index, count) => `Imagen ${index} de ${count}`,
    thumbnails: "Todas las imágenes, en pequeño",
    broken: "Esta imagen no se puede mostrar.",
    none: "No hay imágenes que mostrar.",
  },
});
