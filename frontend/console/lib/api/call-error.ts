import type { Locale } from "#app/lib/i18n/locale.ts";
import { defineMessages, messagesFor } from "#app/lib/i18n/messages.ts";
import { formatDuration } from "#console/lib/format/duration.ts";

/** A problem document (RFC 9457) as our services write it. */
export interface Problem {
  type?: string;
  title?: string;
  detail?: string;
  errors?: FieldProblem[];
}

interface FieldProblem {
  field: string;
  detail: string;
}

interface Refusal {
  /** The HTTP status, or 0 if there was no usable answer. */
  status: number;
  /** The problem's stable name, or one of `too-late`, `no-answer` and `not-understood`. */
  code: string;
  title?: string | undefined;
  detail?: string | undefined;
  fields?: FieldProblem[] | undefined;
  retryAfterSeconds?: number | undefined;
}

/** A failed call. */
export class CallError extends Error {
  readonly status: number;
  readonly code: string;
  /** What went wrong in this case, in the service's own English. */
  readonly detail: string | undefined;
  readonly fields: readonly FieldProblem[];
  readonly retryAfterSeconds: number | undefined;

  constructor({ status, code, title, detail, fields = [], retryAfterSeconds }: Refusal) {
    super(detail ?? title ?? code);
    this.name = "CallError";
    this.status = status;
    this.code = code;
    this.detail = detail ?? title;
    this.fields = fields;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Whether the caller is not signed in, or no longer. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof CallError && error.status === 401;
}

const messages = defineMessages({
  en: {
    tooLate: "No answer came within half a minute. It may have been done anyway: check first.",
    noAnswer: "The console's service could not be reached.",
    notUnderstood: "The answer did not come from the console's service.",
    invalid: "The request is not valid.",
    signedOut: "You are no longer signed in.",
    forbidden: "You may look, but not act.",
    otherOrigin:
      "That is only accepted from pages at the console's own address: open it at its CONSOLE_URL.",
    refused: "That was refused.",
    noCall: "There is no such call: the page may be of another version than the service.",
    roleRefuses:
      "The role does not accept the console's calls: its token is missing or a different one, or it is of another version.",
    contentRefuses: "The content service refuses it.",
    exists: "It already exists.",
    noAccount: "The proxy names an operator who has no account here, or whose account is disabled.",
    notNow: "That can't be done as things stand.",
    tooMany: "Too many requests.",
    tooManyUntil: (wait: string) => `Too many requests. Try again in ${wait}.`,
    notSetUp: "That is not set up here.",
    unanswered: "The service can't answer that now.",
    away: "The service does not answer.",
    broken: "Something went wrong in the service.",
  },
  es: {
    tooLate:
      "No hubo respuesta en medio minuto. Puede haberse hecho de todos modos: compruébelo antes.",
    noAnswer: "No se pudo conectar con el servicio de la consola.",
    notUnderstood: "Lo recibido no es una respuesta del servicio de la consola.",
    invalid: "Lo enviado no es correcto.",
    signedOut: "Ya no tiene la sesión iniciada.",
    forbidden: "Puede mirar, pero no actuar.",
    otherOrigin:
      "Eso solo se admite desde la dirección propia de la consola: ábrala en la que indica CONSOLE_URL.",
    refused: "Se ha rechazado.",
    noCall: "Esa llamada no existe: la página puede ser de otra versión que el servicio.",
    roleRefuses:
      "El servicio no admite las llamadas de la consola: le falta la clave o es otra, o es de otra versión.",
    contentRefuses: "El gestor de contenidos lo rechaza.",
    exists: "Ya existe.",
    noAccount:
      "El proxy por el que ha entrado nombra a alguien que no tiene cuenta aquí, o la tiene bloqueada.",
    notNow: "Eso no se puede hacer en este estado.",
    tooMany: "Se ha pedido demasiadas veces.",
    tooManyUntil: (wait) => `Se ha pedido demasiadas veces. Inténtelo de nuevo en ${wait}.`,
    notSetUp: "Eso no está configurado aquí.",
    unanswered: "Ahora no se puede responder a eso.",
    away: "El servicio no responde.",
    broken: "Algo falló en el servicio.",
  },
});

/** Describes an error in the operator's language. The service's own words are in `detail` and `fields`. */
export function describeError(error: unknown, locale: Locale): string {
  const t = messagesFor(messages, locale);
  if (!(error instanceof CallError)) return t.broken;
  const { status, code, retryAfterSeconds } = error;
  if (status === 429 && retryAfterSeconds !== undefined) {
    return t.tooManyUntil(formatDuration(locale, retryAfterSeconds * 1_000));
  }
  // A status can have several reasons: 403 is an account that may not act, or a page at another origin.
  const byCode: Record<string, string> = {
    "too-late": t.tooLate,
    "no-answer": t.noAnswer,
    "not-understood": t.notUnderstood,
    "may-not-act": t.forbidden,
    "no-account": t.noAccount,
    "other-origin": t.otherOrigin,
    "role-refuses": t.roleRefuses,
    "content-service-refuses": t.contentRefuses,
    "redirect-exists": t.exists,
  };
  const byStatus: Record<number, string> = {
    400: t.invalid,
    401: t.signedOut,
    403: t.refused,
    404: t.noCall,
    409: t.notNow,
    413: t.invalid,
    415: t.invalid,
    422: t.notNow,
    429: t.tooMany,
    501: t.notSetUp,
    502: t.away,
    503: t.unanswered,
    504: t.away,
  };
  return byCode[code] ?? byStatus[status] ?? t.broken;
}

/** Returns the service's own words for an error, in English. */
export function detailsOf(error: unknown): string[] {
  if (!(error instanceof CallError)) return [];
  const fields = error.fields.map(({ field, detail }) => `${field}: ${detail}`);
  return error.detail && fields.length === 0 ? [error.detail] : fields;
}
