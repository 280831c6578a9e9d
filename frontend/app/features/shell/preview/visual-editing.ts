import { apply } from "@directus/visual-editing";
import type { Locale } from "#app/lib/i18n/locale.ts";
import { showAtOnce } from "./at-once.ts";
import type { Editable } from "./editable.ts";
import styles from "./visual-editing.gen.css?url";

/** As the package calls the element that it would put its rules into: where it finds one, it adds none. */
const STYLE_ID = "directus-visual-editing-style";

/**
 * Has the Studio at `studio`, in whose frame this page is, edit what `editables` are marked with. The page
 * is loaded anew after each save; until then it shows plain texts of it, in the language `locale`.
 */
export async function editIn(studio: string, editables: readonly Editable[], locale: Locale) {
  if (!document.getElementById(STYLE_ID)) {
    // The policy refuses styles that stand in the document itself.
    const link = document.createElement("link");
    link.id = STYLE_ID;
    link.rel = "stylesheet";
    link.href = styles;
    document.head.append(link);
  }
  const { origin } = new URL(studio);
  const stop = new AbortController();
  // The package tells of a save to elements by the document in which they were clicked, and with the
  // first click on what is published the Studio loads its draft.
  window.addEventListener(
    "message",
    ({ origin: from, data }) => {
      if (from === origin && data?.action === "saved") {
        showAtOnce(data.data?.payload, editables, locale);
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
