export type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** How long to wait for a part of the page that renders later, in milliseconds. */
const TIMEOUT_MS = 20_000;

/** The discarded fields that an earlier call restores: React reports each part that it renders again. */
const taken = new WeakSet<Field>();

/**
 * Copies the values of `fields` that React has discarded to the fields that replaced them, and moves the focus
 * if it was on one of them (`focused`). What was typed, chosen or ticked before hydration counts, also if a
 * translator had changed the page and React renders it again. Values of another page's fields are dropped.
 */
export function restoreTyped(fields: Iterable<Field>, focused: Element | null): void {
  const discarded = [...byPosition(fields)].filter(
    ([, old]) => !old.isConnected && !taken.has(old),
  );
  for (const [, old] of discarded) taken.add(old);
  const lost = new Map(discarded.filter(([, old]) => isChanged(old)));
  let lostFocus = discarded.find(([, old]) => old === focused);
  const restore = () => {
    const [loaded] = performance.getEntriesByType("navigation");
    const isSamePage = withoutHash(loaded?.name ?? "") === withoutHash(location.href);
    if (!isSamePage || (lost.size === 0 && !lostFocus)) return observer.disconnect();
    const present = fieldsIn(document);
    transferValues(lost, present);
    if (lostFocus && moveFocus(...lostFocus, present)) lostFocus = undefined;
  };
  // A part of the page may wait for its own script.
  const observer = new MutationObserver(restore);
  observer.observe(document, { childList: true, subtree: true });
  setTimeout(() => observer.disconnect(), TIMEOUT_MS);
  restore();
}

/** Returns the fields in a form or a document that may hold a value of the visitor's. */
export function fieldsIn(root: ParentNode): Iterable<Field> {
  return root.querySelectorAll<Field>("input, select, textarea");
}

/** Returns those of `fields` that the visitor has changed, by their position key. */
export function changedFields(fields: Iterable<Field>): Map<string, Field> {
  return new Map([...byPosition(fields)].filter(([, field]) => isChanged(field)));
}

/**
 * Copies the values of the `lost` fields to the fields at the same positions, unless the visitor has changed
 * those in the meantime. Removes from `lost` what has found its position.
 */
export function transferValues(lost: Map<string, Field>, fields: Iterable<Field>): void {
  const positions = [...byPosition(fields)];
  // Selects first: the values of other fields may leave fewer options to choose from.
  positions.sort(([, one], [, other]) => Number(isChoice(other)) - Number(isChoice(one)));
  for (const [position, now] of positions) {
    const old = lost.get(position);
    if (!old) continue;
    lost.delete(position);
    // React does not render which option of a select is its default, so a select is overwritten in any case.
    if (isChoice(now) || !isChanged(now)) copyValue(old, now);
  }
}

/**
 * Focuses the field at the position of a discarded one, with its selection, unless the visitor has focused
 * something else in the meantime. Returns false while there is no such field.
 */
function moveFocus(position: string, old: Field, fields: Iterable<Field>): boolean {
  if (document.activeElement !== document.body) return true;
  const now = byPosition(fields).get(position);
  if (!now) return false;
  now.focus({ preventScroll: true });
  if (isChoice(old) || isChoice(now) || old.selectionStart === null) return true;
  now.setSelectionRange(old.selectionStart, old.selectionEnd, old.selectionDirection ?? "none");
  return true;
}

const withoutHash = (address: string) => address.replace(/#.*/, "");

const isTicked = (field: Field): field is HTMLInputElement =>
  field.type === "checkbox" || field.type === "radio";

const isChoice = (field: Field): field is HTMLSelectElement => field instanceof HTMLSelectElement;

const isFiles = (field: Field): field is HTMLInputElement => field.type === "file";

/** Keys each field by its form, type, name and choice, and several equal ones by their order. */
function byPosition(fields: Iterable<Field>): Map<string, Field> {
  const positions = new Map<string, Field>();
  for (const field of fields) {
    // A discarded field no longer belongs to the form that it names.
    const { form: owner } = field;
    const form = field.getAttribute("form") || owner?.id || owner?.getAttribute("action");
    const key = [form, field.type, field.name, isTicked(field) ? field.value : ""].join(" ");
    let order = 0;
    while (positions.has(`${key} ${order}`)) order += 1;
    positions.set(`${key} ${order}`, field);
  }
  return positions;
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

/** Copies a value the way a visitor would enter it, so that the component that owns the state is notified. */
function copyValue(old: Field, now: Field): void {
  if (isTicked(now) && isTicked(old)) {
    if (now.checked !== old.checked) now.click();
    return;
  }
  if (isFiles(now) && isFiles(old)) {
    now.files = old.files;
  } else {
    // React tracks the element's own `value` property, and would take a write to it for its own.
    const property = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(now), "value");
    property?.set?.call(now, old.value);
  }
  now.dispatchEvent(new Event("input", { bubbles: true }));
  now.dispatchEvent(new Event("change", { bubbles: true }));
}
