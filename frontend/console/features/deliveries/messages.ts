import { defineMessages, plural } from "#app/lib/i18n/messages.ts";

/** What is delivered, as command's table names it. */
const KINDS: Readonly<Record<string, { en: string; es: string }>> = {
  office_mail: { en: "Enquiry by mail to the office", es: "Consulta por correo a la oficina" },
  visitor_mail: { en: "Thanks by mail to the visitor", es: "Gracias por correo al visitante" },
  content_item: { en: "Enquiry as an item in Directus", es: "Consulta como elemento en Directus" },
  sign_in_mail: { en: "Mail to sign in by", es: "Correo para entrar" },
  confirm_mail: { en: "Mail to confirm an alert by", es: "Correo para confirmar un aviso" },
  alert_mail: { en: "Alert by mail", es: "Aviso por correo" },
};

export const deliveryMessages = defineMessages({
  en: {
    title: "Deliveries",
    lead: "Enquiries that came, and the mails and items that are made of them. Whose they are is not shown here.",
    day: "The last 24 hours",
    enquiriesHour: "Enquiries in the last hour",
    enquiriesDay: "Enquiries in the last day",
    kinds: "By kind",
    kindsNone: "Nothing was to be delivered.",
    kind: "Kind",
    kindOf: (kind: string) => KINDS[kind]?.en ?? kind,
    done: "Delivered",
    waiting: "Waiting",
    failed: "Failed",
    jobs: "Not delivered yet",
    jobsLead: "What has failed first: it is not tried again by itself. Then what waits.",
    jobsNone: "Everything was delivered.",
    job: "Job",
    state: "State",
    tries: "Tries",
    nextTry: "Next try",
    none: "none",
    created: "Wanted",
    failure: "What went wrong",
    retry: "Try again",
    retryTitle: (count: number) => plural(count, "Try this job again?", `Try ${count} jobs again?`),
    retryWhat:
      "Command delivers each at once. A mail of which nobody knows whether it arrived may arrive twice.",
    retried: (count: number) =>
      plural(count, "One job is tried again.", `${count} jobs are tried again.`),
    counts: (waiting: string, failed: string) => `${waiting} waiting, ${failed} failed.`,
  },
  es: {
    title: "Envíos",
    lead: "Las consultas recibidas y los correos y elementos que se hacen con ellas. No se muestra de quién son.",
    day: "Las últimas 24 horas",
    enquiriesHour: "Consultas en la última hora",
    enquiriesDay: "Consultas en el último día",
    kinds: "Por tipo",
    kindsNone: "No había nada que enviar.",
    kind: "Tipo",
    kindOf: (kind) => KINDS[kind]?.es ?? kind,
    done: "Enviados",
    waiting: "En espera",
    failed: "Fallidos",
    jobs: "Aún no enviados",
    jobsLead: "Primero lo que ha fallado, que no se reintenta por sí solo. Después lo que espera.",
    jobsNone: "Todo se ha enviado.",
    job: "Tarea",
    state: "Estado",
    tries: "Intentos",
    nextTry: "Próximo intento",
    none: "ninguno",
    created: "Pedido",
    failure: "Qué falló",
    retry: "Intentar de nuevo",
    retryTitle: (count) =>
      plural(count, "¿Intentar esta tarea de nuevo?", `¿Intentar ${count} tareas de nuevo?`),
    retryWhat:
      "Command envía cada una de inmediato. Un correo del que no se sabe si llegó puede llegar dos veces.",
    retried: (count) =>
      plural(count, "Se intenta de nuevo una tarea.", `Se intentan de nuevo ${count} tareas.`),
    counts: (waiting, failed) => `${waiting} en espera, ${failed} fallidos.`,
  },
});
