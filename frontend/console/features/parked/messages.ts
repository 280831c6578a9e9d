import { defineMessages, plural } from "#app/lib/i18n/messages.ts";

export const parkedMessages = defineMessages({
  en: {
    title: "Parked",
    lead: "What can't proceed as it is. Nothing is lost: the site shows the last good version, or nothing if a home was unpublished with its place, or a menu entry with the one above it.",
    items: "Items",
    itemsLead:
      "Published, but they can't be recorded as they are. They proceed automatically once an editor has corrected them.",
    itemsNone: "No item is parked.",
    item: "Item",
    why: "Why",
    since: "Since",
    times: (count: number, figure: string) => plural(count, "tried once", `tried ${figure} times`),
    lastTried: "Last tried",
    next: "next",
    byHint: "next with a hint",
    entireItem: "The item",
    now: "Now",
    onSite: "Last good",
    noneGood: "nothing",
    blank: "blank",
    allDifferences: "All that differs",
    broken: "breaks a rule",
    personal: "It is about a person: the values of its fields are not shown here.",
    noDifference: "Nothing differs from the last good version now.",
    omitted: (count: number) => plural(count, "One more differs.", `${count} more differ.`),
    onlyBroken:
      "Only fields that break a rule are listed: the others can't be read until these are corrected.",
    retry: "Read again",
    retryTitle: (count: number) =>
      plural(count, "Read this item again?", `Read ${count} items again?`),
    retryWhat:
      "Sync reads each from the content service immediately, without waiting for its next try. Corrected items are published; the others stay parked. The site keeps showing the last good version, or nothing if a home was unpublished with its place, or a menu entry with the one above it.",
    retried: (count: number) =>
      plural(count, "One is being read again.", `${count} are being read again.`),
    hints: "Hints",
    hintsLead: "The content service reported a change, but it can't be determined what changed.",
    hintsNone: "Every hint could be resolved.",
    hint: "Hint",
    allOfIt: "the whole collection",
    hintRetry: "Try again",
    hintRetryTitle: (count: number) =>
      plural(count, "Try to resolve this hint again?", `Try to resolve ${count} hints again?`),
    hintRetryWhat:
      "Sync asks the content service about each immediately, without waiting for its next try.",
    drop: "Drop",
    dropTitle: (count: number) => plural(count, "Drop this hint?", `Drop ${count} hints?`),
    dropWhat:
      "Sync forgets the hint. If something did change, it reaches the site only with the next hint, or when everything is reconciled.",
    dropped: (count: number) =>
      plural(count, "One hint was dropped.", `${count} hints were dropped.`),
    letters: "Dead letters",
    lettersLead:
      "Messages of the log that could not be applied to the read models, and were set aside.",
    lettersNone: "Every message could be applied.",
    subject: "Subject",
    position: (sequence: string) => `at ${sequence} of the log`,
    replay: "Apply again",
    replayTitle: (count: number) =>
      plural(count, "Apply this message again?", `Apply ${count} messages again?`),
    replayWhat:
      "Projections tries to apply each again, as it was set aside. Messages that still fail stay here, with the new reason.",
    replayed: (count: number, chosen: number) => {
      if (count === 0) return "No message was applied.";
      const done = plural(count, "One message was applied", `${count} messages were applied`);
      const left = chosen - count;
      return left > 0 ? `${done}, ${plural(left, "one was", `${left} were`)} not.` : `${done}.`;
    },
    letterDropTitle: (count: number) =>
      plural(count, "Drop this dead letter?", `Drop ${count} dead letters?`),
    letterDropWhat:
      "It is no longer listed. The site keeps showing what it now shows of each until a newer version arrives, or the read models are rebuilt.",
    letterDropped: (count: number) =>
      plural(count, "One dead letter was dropped.", `${count} dead letters were dropped.`),
    leftOut: "Shown without a picture",
    leftOutLead:
      "On the site, but without a file that can't be shown. Replacing the file fixes this.",
    leftOutNone: "No item lacks a picture.",
    pictures: "Pictures",
    refused: "Refused by the log",
    refusedLead: "Recorded, but the log refused it. It is published again with each new stream.",
    refusedNone: "The log has refused nothing.",
    version: "Version",
    trace: "Trace",
  },
  es: {
    title: "Apartados",
    lead: "Lo que no puede seguir por sí solo. No se pierde nada: la web muestra la última versión correcta, o nada si un inmueble dejó de publicarse con su zona, o una entrada de un menú con la que tiene por encima.",
    items: "Elementos",
    itemsLead:
      "Publicados, pero no se pueden registrar como están. Siguen por sí solos cuando un editor los corrige.",
    itemsNone: "No hay ningún elemento apartado.",
    item: "Elemento",
    why: "Motivo",
    since: "Desde",
    times: (count, figure) => plural(count, "un intento", `${figure} intentos`),
    lastTried: "Último intento",
    next: "próximo",
    byHint: "próximo con un aviso",
    entireItem: "El elemento",
    now: "Ahora",
    onSite: "Último correcto",
    noneGood: "nada",
    blank: "en blanco",
    allDifferences: "Todo lo que cambia",
    broken: "incumple una regla",
    personal: "Trata de una persona: aquí no se muestra lo que contienen sus campos.",
    noDifference: "Ya no hay nada distinto de la última versión correcta.",
    omitted: (count) => plural(count, "Hay uno más distinto.", `Hay ${count} más distintos.`),
    onlyBroken:
      "Solo figura lo que incumple una regla: lo demás no se puede leer hasta que se corrija.",
    retry: "Leer de nuevo",
    retryTitle: (count) =>
      plural(count, "¿Leer este elemento de nuevo?", `¿Leer ${count} elementos de nuevo?`),
    retryWhat:
      "Sync lee cada uno del gestor de contenidos de inmediato, sin esperar al próximo intento. Lo corregido sigue adelante; lo demás queda apartado. La web sigue mostrando la última versión correcta, o nada si un inmueble dejó de publicarse con su zona, o una entrada de un menú con la que tiene por encima.",
    retried: (count) =>
      plural(count, "Uno se está leyendo de nuevo.", `${count} se están leyendo de nuevo.`),
    hints: "Avisos",
    hintsLead: "El gestor de contenidos avisó de algo y no se puede averiguar de qué.",
    hintsNone: "Todos los avisos se pudieron resolver.",
    hint: "Aviso",
    allOfIt: "toda la colección",
    hintRetry: "Intentar de nuevo",
    hintRetryTitle: (count) =>
      plural(count, "¿Intentar resolver este aviso?", `¿Intentar resolver ${count} avisos?`),
    hintRetryWhat:
      "Sync pregunta al gestor de contenidos por cada uno de inmediato, sin esperar al próximo intento.",
    drop: "Descartar",
    dropTitle: (count) => plural(count, "¿Descartar este aviso?", `¿Descartar ${count} avisos?`),
    dropWhat:
      "Sync olvida lo avisado. Si algo cambió de verdad, la web lo sabrá con el próximo aviso o cuando se concilie todo, y no antes.",
    dropped: (count) => plural(count, "Se descartó un aviso.", `Se descartaron ${count} avisos.`),
    letters: "Mensajes no aplicados",
    lettersLead:
      "Mensajes del registro que los modelos de lectura no pudieron aplicar y apartaron.",
    lettersNone: "Todos los mensajes se pudieron aplicar.",
    subject: "Asunto",
    position: (sequence) => `en ${sequence} del registro`,
    replay: "Aplicar de nuevo",
    replayTitle: (count) =>
      plural(count, "¿Aplicar este mensaje de nuevo?", `¿Aplicar ${count} mensajes de nuevo?`),
    replayWhat:
      "Projections intenta aplicar cada uno otra vez, tal como se apartó. Lo que siga sin poder aplicarse queda aquí, con el nuevo motivo.",
    replayed: (count, chosen) => {
      if (count === 0) return "No se aplicó ningún mensaje.";
      const done = plural(count, "Se aplicó un mensaje", `Se aplicaron ${count} mensajes`);
      const left = chosen - count;
      return left > 0 ? `${done}, y ${plural(left, "uno", `${left}`)} no.` : `${done}.`;
    },
    letterDropTitle: (count) =>
      plural(count, "¿Descartar este mensaje?", `¿Descartar ${count} mensajes?`),
    letterDropWhat:
      "Deja de estar en la lista. La web sigue mostrando lo que muestra de cada uno hasta que llegue una versión más nueva o se reconstruyan los modelos de lectura.",
    letterDropped: (count) =>
      plural(count, "Se descartó un mensaje.", `Se descartaron ${count} mensajes.`),
    leftOut: "Mostrados sin una imagen",
    leftOutLead:
      "Están en la web, salvo un archivo que no se puede mostrar. Se arregla solo cuando se sustituye el archivo.",
    leftOutNone: "No falta ninguna imagen.",
    pictures: "Imágenes",
    refused: "Rechazados por el registro",
    refusedLead:
      "Guardados, pero el registro no los admite. Se publican otra vez con cada secuencia nueva.",
    refusedNone: "El registro no ha rechazado nada.",
    version: "Versión",
    trace: "Traza",
  },
});
