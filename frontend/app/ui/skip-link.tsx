import { focusPart } from "#app/lib/browser/focus-part.ts";
import { defineMessages, useMessages } from "#app/lib/i18n/messages.ts";

const messages = defineMessages({
  en: { skip: "Skip to content" },
  es: { skip: "Saltar al contenido" },
});

/** The first element in the tab order: skips what is repeated on every page. */
export function SkipLink() {
  const t = useMessages(messages);
  return (
    // biome-ignore lint/a11y/useValidAnchor: it leads to a place on this page, and works without a script
    <a
      href="#content"
      onClick={focusPart}
      className="fixed top-2 left-2 z-50 -translate-y-20 rounded-full bg-sun px-5 py-3 font-semibold text-on-sun focus:translate-y-0"
    >
      {t.skip}
    </a>
  );
}
