import { defineMessages, useMessages } from "#app/lib/i18n/messages.ts";

// Pure, so that the browsers' build leaves them out.
const messages = /* @__PURE__ */ defineMessages({
  en: {
    needsScript:
      "To move the map or draw on it takes JavaScript, which is off here. The homes on it are links.",
  },
  es: {
    needsScript:
      "Mover el mapa o dibujar en él requiere JavaScript, que aquí está desactivado. Sus viviendas son enlaces.",
  },
});

/** What a map can't do without a script, which would bring these words to nobody who reads them. */
export function MapNeedsScript() {
  const t = useMessages(messages);
  return <p className="notice mb-5">{t.needsScript}</p>;
}
