import { createContext, use } from "react";

/** What was changed in the filters' form and the address does not say yet: values by field. */
export type Draft = ReadonlyMap<string, readonly string[]>;

export const NO_DRAFT: Draft = new Map();

/** How long a number that is being written, or a thumb that is being pulled, may rest before it counts. */
export const WRITING_MS = 400;

interface FilterFields {
  /** What a field shows: the draft where there is one, else what the address says. */
  values(name: string): readonly string[];
  /** Changes a field; it counts after so many milliseconds. */
  change(name: string, values: readonly string[], after: number): void;
}

export const FilterFieldsContext = createContext<FilterFields>({
  values: () => [],
  change: () => {},
});

/** A field of the filters' form. */
export function useFilterField(name: string) {
  const { values, change } = use(FilterFieldsContext);
  return {
    values: values(name),
    change: (next: readonly string[], after = 0) => change(name, next, after),
  };
}

/** What was sent to the address. */
export interface Sent {
  path: string;
  /** What the form said then, as an address says it. */
  fields: URLSearchParams;
  draft: Draft;
  words: string;
}

/**
 * Parts what was sent by what an arrival at `path` settles: the sending that led there with those before
 * it, or all of them where none did, since a link has taken their place.
 */
export function settle(
  sent: readonly Sent[],
  path: string,
): { settled: readonly Sent[]; underWay: readonly Sent[] } {
  const last = sent.findLastIndex((each) => each.path === path);
  const end = last < 0 ? sent.length : last + 1;
  return { settled: sent.slice(0, end), underWay: sent.slice(end) };
}

/**
 * The fields of a list that is on its way, with what the form has come to say since `before`: each value by
 * itself, so that a box that is ticked does not bring back one beside it whose chip was pressed. What the form
 * `sent` last it takes back too: the map may have carried that on. All are as an address says them.
 */
export function carriedOn(
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
    // Of two bounds the first is read; of two orders either.
    ...added,
    ...[...coming].filter((each) => stays(each) && !(isOrdered && each[0] === "sort")),
  ]);
}

/** The draft without what was sent and has not been changed since. */
export function withoutSent(draft: Draft, sent: readonly Sent[]): Draft {
  const left = [...draft].filter(([name, values]) =>
    sent.every((each) => each.draft.get(name) !== values),
  );
  if (left.length === draft.size) return draft;
  return left.length > 0 ? new Map(left) : NO_DRAFT;
}

/** What the form's fields say otherwise than the address: they were filled in before the script came. */
export function filledIn(form: HTMLFormElement, asked: URLSearchParams): Draft {
  const data = new FormData(form);
  const draft = new Map<string, readonly string[]>();
  for (const field of form.elements) {
    const isField = field instanceof HTMLInputElement || field instanceof HTMLSelectElement;
    // What stands outside the form's own element has its own script.
    if (!isField || field.name === "" || !form.contains(field)) continue;
    // Words count when they are left.
    if (field.name === "q" && field === document.activeElement) continue;
    const values = data.getAll(field.name).map(String).filter(Boolean);
    if (String(values) !== String(asked.getAll(field.name))) draft.set(field.name, values);
  }
  return draft.size > 0 ? draft : NO_DRAFT;
}
