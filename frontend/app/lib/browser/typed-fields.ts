export type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** How long it is waited for a part of the page that is drawn later, in milliseconds. */
const PATIENCE = 20_000;

/**
 * Gives what stands in those of `fields` that React has thrown away to the ones in their place: whatever was
 * written, chosen or ticked before the script came counts, also where a translator had changed the page and
 * React renders it anew. Of another page's fields nothing is kept.
 */
export function restoreTyped(fields: Iterable<Field>): void {
  const lost = changedFields(fields);
  for (const [place, old] of lost) {
    if (old.isConnected) lost.delete(place);
  }
  const restore = () => {
    const [loaded] = performance.getEntriesByType("navigation");
    if (withoutHash(loaded?.name ?? "") !== withoutHash(location.href)) lost.clear();
    if (lost.size === 0) return observer.disconnect();
    handOver(lost, document.querySelectorAll<Field>(FIELDS));
  };
  // A part of the page may wait for a script of its own.
  const observer = new MutationObserver(restore);
  observer.observe(document, { childList: true, subtree: true });
  setTimeout(() => observer.disconnect(), PATIENCE);
  restore();
}

/** Those of `fields` that hold something of a visitor's, each by its place. */
export function changedFields(fields: Iterable<Field>): Map<string, Field> {
  return new Map([...byPlace(fields)].filter(([, field]) => isChanged(field)));
}

/**
 * Gives what stands in the `lost` to those of `fields` in their places, unless something has been written
 * there meanwhile, and takes out what has found its place.
 */
export function handOver(lost: Map<string, Field>, fields: Iterable<Field>): void {
  const places = [...byPlace(fields)];
  // Choices first: what is written elsewhere may leave less to choose from.
  places.sort(([, one], [, other]) => Number(isChoice(other)) - Number(isChoice(one)));
  for (const [place, now] of places) {
    const old = lost.get(place);
    if (!old) continue;
    lost.delete(place);
    // Which option is a choice's first React does not write down.
    if (isChoice(now) || !isChanged(now)) give(old, now);
  }
}

/** What may hold something of a visitor's. */
const FIELDS = "input, select, textarea";

const withoutHash = (address: string) => address.replace(/#.*/, "");

const isTicked = (field: Field): field is HTMLInputElement =>
  field.type === "checkbox" || field.type === "radio";

const isChoice = (field: Field): field is HTMLSelectElement => field instanceof HTMLSelectElement;

const isFiles = (field: Field): field is HTMLInputElement => field.type === "file";

/** By form, kind, name and choice, and of several alike by their order. */
function byPlace(fields: Iterable<Field>): Map<string, Field> {
  const places = new Map<string, Field>();
  for (const field of fields) {
    const form = field.form?.id || field.form?.getAttribute("action");
    const key = [form, field.type, field.name, isTicked(field) ? field.value : ""].join(" ");
    let order = 0;
    while (places.has(`${key} ${order}`)) order += 1;
    places.set(`${key} ${order}`, field);
  }
  return places;
}

function isChanged(field: Field): boolean {
  if (isTicked(field)) return field.checked !== field.defaultChecked;
  if (isFiles(field)) return Boolean(field.files?.length);
  if (isChoice(field)) {
    const first = [...field.options].findIndex(({ defaultSelected }) => defaultSelected);
    return field.selectedIndex !== Math.max(first, 0);
  }
  return field.value !== field.defaultValue;
}

/** As a visitor would, so that who holds the value hears of it. */
function give(old: Field, now: Field): void {
  if (isTicked(now) && isTicked(old)) {
    if (now.checked !== old.checked) now.click();
    return;
  }
  if (isFiles(now) && isFiles(old)) {
    now.files = old.files;
  } else {
    // React keeps an eye on the property of the element itself, and would take this for its own.
    const of = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(now), "value");
    of?.set?.call(now, old.value);
  }
  now.dispatchEvent(new Event("input", { bubbles: true }));
  now.dispatchEvent(new Event("change", { bubbles: true }));
}
