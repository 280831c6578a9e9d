import { write } from "#app/lib/browser/stored.ts";
import {
  changedFields,
  type Field,
  fieldsIn,
  transferValues,
} from "#app/lib/browser/typed-fields.ts";

/**
 * What was typed in forms that were left unsent, by the form's address. A browser keeps the fields of a
 * document that is left, but a navigation within the site discards them. So this document keeps them for its
 * own lifetime; nothing of it is stored.
 */
const drafts = new Map<string, Map<string, Field>>();

/** The session storage key of the draft that is passed to the page's other language, until its form reads it. */
export const CARRIED_DRAFT = "carried-draft";

/** The address of the form whose enquiry arrived last. */
let submitted: string | undefined;

/** Keeps what was typed in a form whose page is left. */
export function saveDraft(form: HTMLFormElement): void {
  const written = changedFields(fieldsIn(form));
  if (form.action !== submitted && written.size > 0) drafts.set(form.action, written);
}

/** Restores what was typed in a form before its page was left. */
export function restoreDraft(form: HTMLFormElement): void {
  submitted = undefined;
  const draft = drafts.get(form.action);
  drafts.delete(form.action);
  if (draft) transferValues(draft, fieldsIn(form));
}

/** Discards the draft of the form at `address`, whose enquiry has arrived. */
export function discardDraft(address: string): void {
  submitted = address;
  drafts.delete(address);
  write(CARRIED_DRAFT, null, "sessionStorage");
}

/** Discards all drafts, when the visitor wants their details forgotten. */
export function discardDrafts(): void {
  drafts.clear();
  write(CARRIED_DRAFT, null, "sessionStorage");
}
