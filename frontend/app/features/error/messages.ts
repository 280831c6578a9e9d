import { defineMessages } from "#app/lib/i18n/messages.ts";

export const errorMessages = defineMessages({
  en: {
    title: "An error occurred",
    // The exact wording of the specification.
    message: "This is not the page you're looking for.",
    home: "Go back home",
    homes: "See the homes for sale",
    notFoundTitle: "Page not found",
    notFoundDescription: "We are sorry but this page could not be found.",
    notFound: (path: string) => `Page not found: ${path}`,
    away: "We can’t reach our listings just now. Please try again in a moment.",
  },
  es: {
    title: "Se ha producido un error",
    message: "Esta no es la página que busca.",
    home: "Volver al inicio",
    homes: "Ver las viviendas en venta",
    notFoundTitle: "Página no encontrada",
    notFoundDescription: "Lo sentimos, pero no hemos podido encontrar esta página.",
    notFound: (path) => `Página no encontrada: ${path}`,
    away: "Ahora mismo no podemos consultar nuestras viviendas. Inténtelo de nuevo en un momento.",
  },
});
