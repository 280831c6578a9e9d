import { LANGUAGE_TAG, type Locale } from "#app/lib/i18n/locale.ts";
import type { Editable } from "./editable.ts";

/** Texts that hold no HTML. The content service and the read API call them the same. */
const PLAIN = new Set(["title", "summary", "intro"]);

/** A text as the Studio tells of it: what is written of it, and in which language. */
type Text = Readonly<Record<string, unknown>>;

/**
 * Shows the plain texts of what the Studio has saved before the page is loaded anew: the Studio then
 * reads and draws its whole form, behind which the page may wait for a second.
 */
export function showAtOnce(saved: unknown, editables: readonly Editable[], locale: Locale): void {
  for (const text of textsOf(saved)) {
    if (languageOf(text) !== LANGUAGE_TAG[locale]) continue;
    for (const { element, members } of editables) {
      const [member = ""] = members;
      const written = PLAIN.has(member) ? text[member] : undefined;
      // Where there is more in it than a text, the page alone knows how to show it.
      if (typeof written === "string" && element.childElementCount === 0) {
        element.textContent = written;
      }
    }
  }
}

function textsOf(saved: unknown): Text[] {
  const { translations } = (saved ?? {}) as {
    translations?: { create?: Text[]; update?: Text[] } | null;
  };
  return [...(translations?.create ?? []), ...(translations?.update ?? [])];
}

function languageOf({ languages_code: language }: Text): unknown {
  return typeof language === "object" && language !== null ? (language as Text).code : language;
}
