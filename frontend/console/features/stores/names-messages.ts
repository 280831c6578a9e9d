import { defineMessages } from "#app/lib/i18n/messages.ts";

/** What the console's service calls the queues, caches and breakers that it knows of. */
export const storeNames = defineMessages({
  en: {
    inbox: "Hints to resolve",
    dirty: "Items to read",
    parked: "Items parked",
    outbox: "Versions for the log",
    refill: "Versions to refill the log with",
    "dead letters": "Dead letters",
    jobs: "Deliveries",
    "failed jobs": "Failed deliveries",
    renders: "Pages to render",
    pictures: "Pictures",
    pages: "Pages",
    "content service": "Content service",
  },
  es: {
    inbox: "Avisos por resolver",
    dirty: "Elementos por leer",
    parked: "Elementos apartados",
    outbox: "Versiones para el registro",
    refill: "Versiones para rellenar el registro",
    "dead letters": "Mensajes no aplicados",
    jobs: "Envíos",
    "failed jobs": "Envíos fallidos",
    renders: "Páginas por generar",
    pictures: "Imágenes",
    pages: "Páginas",
    "content service": "Gestor de contenidos",
  },
});

/** What sync calls that which it can't do with a collection. */
export const taskNames = defineMessages({
  en: {
    capture: "reading reported changes",
    sweep: "comparing which items exist",
    full: "comparing all content",
    follow: "reading the log of activities, which makes up for lost webhooks",
  },
  es: {
    capture: "lectura de lo avisado",
    sweep: "comparación de los elementos que hay",
    full: "comparación de todo el contenido",
    follow: "lectura del registro de actividad, que suple los avisos perdidos",
  },
});
