import { defineMessages, useMessages } from "#app/lib/i18n/messages.ts";

// Marked as pure, so that the browser build drops them.
const messages = /* @__PURE__ */ defineMessages({
  en: {
    needsScript:
      "Moving or drawing on the map needs JavaScript, which is off here. The homes on it are links.",
  },
  es: {
    needsScript:
      "Mover el mapa o dibujar en él requiere JavaScript, que aquí está desactivado. Sus viviendas son enlaces.",
  },
});

/**
 * States what the map can't do without a script. Only the server renders it: visitors with scripts never
 * see it.
 */
export function MapNeedsScript() {
  const t = useMessages(messages);
  return <p className="notice mb-5">{t.needsScript}</p>;
}
