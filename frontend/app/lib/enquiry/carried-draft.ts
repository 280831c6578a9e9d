import { read, write } from "#app/lib/browser/stored.ts";
import { changedFields, type Field, handOver } from "#app/lib/browser/typed-fields.ts";
import { CARRIED_DRAFT, fieldsOf } from "./draft.ts";

/** What was written in a form, by the names of its fields. */
interface CarriedDraft {
  /** The page that the form stands in. */
  readonly address: string;
  /** What the form's address asks for, which is the same in every language. */
  readonly form: string;
  readonly written: Readonly<Record<string, string>>;
}

/**
 * Has what is written in `form` go along when its page is opened in another language, which is another
 * document; gives what ends that.
 */
export function carryToLanguages(form: HTMLFormElement): () => void {
  const pressed = (event: MouseEvent) => {
    const link =
      event.target instanceof Element && event.target.closest<HTMLAnchorElement>("a[hreflang]");
    const opensBeside = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
    if (link && !opensBeside) carryDraft(form, link.pathname + link.search);
  };
  addEventListener("click", pressed);
  return () => removeEventListener("click", pressed);
}

/** Has the document at `address`, which the browser is about to load, start with what is written in `form`. */
export function carryDraft(form: HTMLFormElement, address: string): void {
  const fields = [...changedFields(fieldsOf(form)).values()].filter(isText);
  const written = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
  const draft: CarriedDraft = { address, form: askedBy(form), written };
  write(CARRIED_DRAFT, fields.length > 0 ? JSON.stringify(draft) : null, "sessionStorage");
}

/** Gives a form what was written in it in another language. What was carried elsewhere is gone with that. */
export function takeCarriedDraft(form: HTMLFormElement): void {
  const { address, form: asked, written } = carried();
  if (!written || address !== location.pathname + location.search || asked !== askedBy(form))
    return;
  const copy = form.cloneNode(true) as HTMLFormElement;
  const filled = [...fieldsOf(copy)].filter((field) => {
    const text = isText(field) ? written[field.name] : undefined;
    if (typeof text !== "string") return false;
    field.value = text;
    // A choice may no longer be one.
    return field.value === text;
  });
  handOver(changedFields(filled), fieldsOf(form));
}

/** What was carried here, which is stored no longer. */
function carried(): Partial<CarriedDraft> {
  const text = read(CARRIED_DRAFT, "sessionStorage");
  write(CARRIED_DRAFT, null, "sessionStorage");
  try {
    return JSON.parse(text ?? "{}") ?? {};
  } catch {
    // Others write to a tab's storage too.
    return {};
  }
}

const askedBy = (form: HTMLFormElement) => new URL(form.action).search;

/** Words and choices: a tick agrees to words of one language, and files can't be stored. */
const isText = ({ type, name }: Field) =>
  !["checkbox", "radio", "file", "hidden"].includes(type) && name !== "website";
