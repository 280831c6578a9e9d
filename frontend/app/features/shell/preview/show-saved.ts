import { LANGUAGE_TAG, type Locale } from "#app/lib/i18n/locale.ts";
import type { Editable } from "./editable.ts";

/** Text fields without HTML. They have the same names in the content service and the read API. */
const PLAIN_TEXTS = new Set(["title", "summary", "intro"]);

/** A translation as the Studio sends it: its changed fields and its language. */
type Translation = Readonly<Record<string, unknown>>;

/**
 * Shows the plain texts that the Studio has saved, before the page is reloaded: the Studio first reads and
 * draws its whole form, which may delay the reload for a second.
 */
export function showSaved(saved: unknown, editables: readonly Editable[], locale: Locale): void {
  for (const translation of translationsOf(saved)) {
    if (languageOf(translation) !== LANGUAGE_TAG[locale]) continue;
    for (const { element, members } of editables) {
      const [member = ""] = members;
      const text = PLAIN_TEXTS.has(member) ? translation[member] : undefined;
      // An element with child elements can only be updated by the reload.
      if (typeof text === "string" && element.childElementCount === 0) {
        element.textContent = text;
      }
    }
  }
}

function translationsOf(saved: unknown): Translation[] {
  const { translations } = (saved ?? {}) as {
    translations?: { create?: Translation[]; update?: Translation[] } | null;
  };
  return [...(translations?.create ?? []), ...(translations?.update ?? [])];
}

function languageOf({ languages_code: language }: Translation): unknown {
  return typeof language === "object" && language !== null
    ? (language as Translation).code
    : language;
}
