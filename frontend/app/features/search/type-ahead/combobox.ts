/** What the list under the field is doing. */
export interface Combobox {
  open: boolean;
  /** The option that the keyboard stands on; -1 while it stands in the text. */
  active: number;
}

/** What a key asks for besides a new state. */
export type KeyEffect = "choose" | "remove" | "clear" | undefined;

/** What a key does. */
export interface KeyStep {
  state: Combobox;
  effect?: KeyEffect;
  /** Whether the key is spent, so that the browser does nothing with it. */
  spent: boolean;
}

interface Key {
  key: string;
  altKey: boolean;
}

interface Surroundings {
  /** How many options there are. */
  options: number;
  /** Whether the options can be removed by key. */
  removable: boolean;
  empty: boolean;
}

/**
 * What a key does to the list, as the ARIA Authoring Practices have it for an editable combobox with
 * a list: the keys of the text stay the text's, and lead back to it.
 */
export function pressKey(
  state: Combobox,
  { key, altKey }: Key,
  { options, removable, empty }: Surroundings,
): KeyStep {
  const shown = state.open && options > 0;
  const to = (active: number): KeyStep => ({ state: { open: true, active }, spent: true });
  const idle: KeyStep = { state, spent: false };
  const { active } = state;
  switch (key) {
    case "ArrowDown":
      if (altKey) return to(active);
      return to(options === 0 ? -1 : shown ? around(active + 1, options) : 0);
    case "ArrowUp":
      if (altKey) return { state: CLOSED, spent: true };
      return to(options === 0 ? -1 : shown ? around(active - 1, options) : options - 1);
    case "Enter":
      // Without an option the form is sent as without a list.
      if (!shown || active < 0) return { state: CLOSED, spent: false };
      return { state: CLOSED, effect: "choose", spent: true };
    case "Escape":
      if (shown) return { state: CLOSED, spent: true };
      return empty ? idle : { state: CLOSED, effect: "clear", spent: true };
    case "Delete":
      if (!shown || !removable || active < 0) return idle;
      // On to the one that takes its place, or to the last.
      return {
        state: { open: true, active: Math.min(active, options - 2) },
        effect: "remove",
        spent: true,
      };
    case "Home":
    case "End":
    case "ArrowLeft":
    case "ArrowRight":
      return active < 0 ? idle : { state: { ...state, active: -1 }, spent: false };
    default:
      return idle;
  }
}

export const CLOSED: Combobox = { open: false, active: -1 };

/** Over either end of the options stands the text itself. */
function around(index: number, options: number): number {
  if (index >= options) return -1;
  return index < -1 ? options - 1 : index;
}
