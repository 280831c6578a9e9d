import { defineMessages } from "#app/lib/i18n/messages.ts";

export const auditMessages = defineMessages({
  en: {
    title: "Audit",
    lead: "Who did what, the newest first. Lines are only ever added.",
    list: "What was done, the newest first",
    perPage: (count: string) => `${count} a page.`,
    empty: "Nothing was done yet.",
    emptyBefore: "There is nothing older.",
    who: "Who and when",
    action: "Action",
    target: "To what",
    outcome: "Outcome",
    begun: "begun",
  },
  es: {
    title: "Auditoría",
    lead: "Quién hizo qué, de lo más reciente a lo más antiguo. Solo se añaden líneas.",
    list: "Lo que se hizo, lo más reciente primero",
    perPage: (count) => `${count} por página.`,
    empty: "Todavía no se ha hecho nada.",
    emptyBefore: "No hay nada anterior.",
    who: "Quién y cuándo",
    action: "Acción",
    target: "A qué",
    outcome: "Resultado",
    begun: "iniciado",
  },
});
