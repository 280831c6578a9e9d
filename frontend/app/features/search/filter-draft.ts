import { createContext, use } from "react";

/** The values, by field, that were changed in the filter form and are not in the address yet. */
export type Draft = ReadonlyMap<string, readonly string[]>;

export const NO_DRAFT: Draft = new Map();

/** How long a visitor has to pause while typing a number or dragging a thumb before the value is applied. */
export const TYPING_DELAY_MS = 400;

interface FilterFields {
  /** Returns the values that a field shows: those of the draft if it has any, else those of the address. */
  values(name: string): readonly string[];
  /** Changes a field. The change is applied after a delay in milliseconds. */
  change(name: string, values: readonly string[], after: number): void;
}

export const FilterFieldsContext = createContext<FilterFields>({
  values: () => [],
  change: () => {},
});

/** Returns the values of a field of the filter form, and a function that changes them. */
export function useFilterField(name: string) {
  const { values, change } = use(FilterFieldsContext);
  return {
    values: values(name),
    change: (next: readonly string[], after = 0) => change(name, next, after),
  };
}

/** A state of the form that was submitted: a navigation to its address was started. */
export interface Submission {
  path: string;
  /** The fields of the form at that time, as parameters of an address. */
  fields: URLSearchParams;
  draft: Draft;
  words: string;
}

/**
 * Splits the submissions by whether an arrival at `path` settles them. It settles the submission that led
 * there and all before it. If none led there, a link has replaced them, and all are settled.
 */
export function settleSubmissions(
  sent: readonly Submission[],
  path: string,
): { settled: readonly Submission[]; pending: readonly Submission[] } {
  const last = sent.findLastIndex((each) => each.path === path);
  const end = last < 0 ? sent.length : last + 1;
  return { settled: sent.slice(0, end), pending: sent.slice(end) };
}

/**
 * Applies the changes that the form made since `before` to the fields of a list that is still loading
 * (`coming`). Values are compared one by one, so that ticking a box does not restore another box of the
 * same field whose chip was removed meanwhile. Values that the form submitted last (`sent`) and no longer
 * has are removed as well: the map may have copied them into `coming`. All fields are parameters of an
 * address.
 */
export function rebaseFields(
  coming: URLSearchParams,
  before: URLSearchParams,
  now: URLSearchParams,
  sent = before,
): URLSearchParams {
  const added = [...now].filter(([name, value]) => !before.has(name, value));
  const isOrdered = added.some(([name]) => name === "sort");
  const stays = ([name, value]: [string, string]) =>
    now.has(name, value) || !(before.has(name, value) || sent.has(name, value));
  return new URLSearchParams([
    // The added values come first, because `parseSearch` reads the first of two bounds. Of two orders it may
    // read either, so the old one is left out.
    ...added,
    ...[...coming].filter((each) => stays(each) && !(isOrdered && each[0] === "sort")),
  ]);
}

/** Returns the draft without the values that were submitted and have not changed since. */
export function withoutSubmitted(draft: Draft, sent: readonly Submission[]): Draft {
  const left = [...draft].filter(([name, values]) =>
    sent.every((each) => each.draft.get(name) !== values),
  );
  if (left.length === draft.size) return draft;
  return left.length > 0 ? new Map(left) : NO_DRAFT;
}

/** Returns a draft of the fields that differ from the address: they were filled in before hydration. */
export function prefilledDraft(form: HTMLFormElement, asked: URLSearchParams): Draft {
  const data = new FormData(form);
  const draft = new Map<string, readonly string[]>();
  for (const field of form.elements) {
    const isField = field instanceof HTMLInputElement || field instanceof HTMLSelectElement;
    if (!isField || field.name === "") continue;
    // The text field is applied when it loses the focus.
    if (field.name === "q" && field === document.activeElement) continue;
    const values = data.getAll(field.name).map(String).filter(Boolean);
    if (String(values) !== String(asked.getAll(field.name))) draft.set(field.name, values);
  }
  return draft.size > 0 ? draft : NO_DRAFT;
}
