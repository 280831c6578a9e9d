import { isPlainClick } from "#app/lib/browser/is-plain-click.ts";
import { read, write } from "#app/lib/browser/stored.ts";
import {
  changedFields,
  type Field,
  fieldsIn,
  transferValues,
} from "#app/lib/browser/typed-fields.ts";
import { CARRIED_DRAFT } from "./draft.ts";

/** A form's contents that are passed to its page in another language. */
interface CarriedDraft {
  /** The address of the form's page in the other language. */
  readonly address: string;
  /** The query string of the form's action, which is the same in every language. */
  readonly form: string;
  /** The typed values, by field name. */
  readonly written: Readonly<Record<string, string>>;
}

/**
 * Passes what is typed in `form` on when its page is opened in another language, which is another document.
 * Returns a function that stops it.
 */
export function carryToLanguages(form: HTMLFormElement): () => void {
  const onClick = (event: MouseEvent) => {
    const link =
      event.target instanceof Element && event.target.closest<HTMLAnchorElement>("a[hreflang]");
    if (link && isPlainClick(event)) carryDraft(form, link.pathname + link.search);
  };
  addEventListener("click", onClick);
  return () => removeEventListener("click", onClick);
}

/** Passes what is typed in `form` to the document at `address`, which the browser is about to load. */
export function carryDraft(form: HTMLFormElement, address: string): void {
  const fields = [...changedFields(fieldsIn(form)).values()].filter(isText);
  const written = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
  const draft: CarriedDraft = { address, form: formQuery(form), written };
  write(CARRIED_DRAFT, fields.length > 0 ? JSON.stringify(draft) : null, "sessionStorage");
}

/**
 * Restores what was typed in the form in another language. A draft that was passed to another page is
 * discarded.
 */
export function takeCarriedDraft(form: HTMLFormElement): void {
  const { address, form: query, written } = takeStoredDraft();
  if (!written || address !== location.pathname + location.search || query !== formQuery(form))
    return;
  const copy = form.cloneNode(true) as HTMLFormElement;
  const filled = [...fieldsIn(copy)].filter((field) => {
    const text = isText(field) ? written[field.name] : undefined;
    if (typeof text !== "string") return false;
    field.value = text;
    // The option may no longer exist.
    return field.value === text;
  });
  transferValues(changedFields(filled), fieldsIn(form));
}

/** Returns the stored draft and removes it from storage. */
function takeStoredDraft(): Partial<CarriedDraft> {
  const text = read(CARRIED_DRAFT, "sessionStorage");
  write(CARRIED_DRAFT, null, "sessionStorage");
  try {
    return JSON.parse(text ?? "{}") ?? {};
  } catch {
    // Other code may have written to the tab's storage.
    return {};
  }
}

const formQuery = (form: HTMLFormElement) => new URL(form.action).search;

/** Text fields and selects only: a ticked box agrees to a text in one language, and files can't be stored. */
const isText = ({ type, name }: Field) =>
  !["checkbox", "radio", "file", "hidden"].includes(type) && name !== "website";
