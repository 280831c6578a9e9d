import { apply } from "@directus/visual-editing";
import type { Locale } from "#app/lib/i18n/locale.ts";
import type { Editable } from "./editable.ts";
import { showSaved } from "./show-saved.ts";
import styles from "./visual-editing.gen.css?url";

/** The id of the package's style element. If the package finds such an element, it does not add its own. */
const STYLE_ID = "directus-visual-editing-style";

/**
 * Lets the Studio at `studio`, in whose frame this page is, edit the fields that `editables` are marked
 * with. The Studio reloads the page after each save; until then the page shows the saved plain texts in the
 * language `locale`.
 */
export async function startEditing(studio: string, editables: readonly Editable[], locale: Locale) {
  if (!document.getElementById(STYLE_ID)) {
    // The content security policy refuses inline styles.
    const link = document.createElement("link");
    link.id = STYLE_ID;
    link.rel = "stylesheet";
    link.href = styles;
    document.head.append(link);
  }
  const { origin } = new URL(studio);
  const stop = new AbortController();
  // The package reports a save only to elements of the document in which they were clicked. But after the
  // first click on a published item the Studio loads the draft's document, so this listens to the Studio's
  // own messages.
  window.addEventListener(
    "message",
    ({ origin: from, data }) => {
      if (from === origin && data?.action === "saved") {
        showSaved(data.data?.payload, editables, locale);
      }
    },
    { signal: stop.signal },
  );
  const elements = editables.map(({ element }) => element);
  const editing = await apply({ directusUrl: studio, elements });
  return () => {
    stop.abort();
    editing?.remove();
  };
}
