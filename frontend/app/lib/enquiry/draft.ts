import { write } from "#app/lib/browser/stored.ts";
import { changedFields, type Field, handOver } from "#app/lib/browser/typed-fields.ts";

/**
 * What was written in forms that were left unsent, each by the form's address. A step within the site throws
 * the fields away, where a browser keeps those of a document that is left: so does this document for as long
 * as it is there, and nothing of it is stored.
 */
const drafts = new Map<string, Map<string, Field>>();

/** Under which a tab keeps what goes to the page's other language, until its form takes it out. */
export const CARRIED_DRAFT = "carried-draft";

/** The address of the form that has arrived last. */
let arrived: string | undefined;

/** Keeps what was written in a form that is left. */
export function keepDraft(form: HTMLFormElement): void {
  const written = changedFields(fieldsOf(form));
  if (form.action !== arrived && written.size > 0) drafts.set(form.action, written);
}

/** Gives a form what was written in it before it was left. */
export function giveBack(form: HTMLFormElement): void {
  arrived = undefined;
  const draft = drafts.get(form.action);
  drafts.delete(form.action);
  if (draft) handOver(draft, fieldsOf(form));
}

/** Forgets what was written in the form at `address`: it has arrived. */
export function forgetDraft(address: string): void {
  arrived = address;
  drafts.delete(address);
  write(CARRIED_DRAFT, null, "sessionStorage");
}

/** Forgets what was written in all forms, with who wrote it. */
export function forgetDrafts(): void {
  drafts.clear();
  write(CARRIED_DRAFT, null, "sessionStorage");
}

/** What may hold something of a visitor's. */
export function fieldsOf(form: HTMLFormElement): Iterable<Field> {
  return form.querySelectorAll<Field>("input, select, textarea");
}
