/** How long a toast stays unless it says otherwise. */
export const TOAST_MS = 5_000;

/** What a toast offers to do. */
export interface ToastAction {
  label: string;
  click: () => void;
}

/** A short word on something that has just happened, which nobody has to answer. */
export interface Toast {
  /** Its time, which no other toast has. */
  id: number;
  title: string;
  description?: string;
  /** Milliseconds; it is still while it is pointed at. */
  timeout: number;
  actions: readonly ToastAction[];
}

let shown: readonly Toast[] = [];
let last = 0;
const listeners = new Set<() => void>();

/** Says `title` in the corner for a while, and gives the toast's id. */
export function addToast(
  toast: Pick<Toast, "title"> & Partial<Omit<Toast, "id" | "title">>,
): number {
  // Two of one millisecond are two.
  last = Math.max(Date.now(), last + 1);
  show([...shown, { timeout: TOAST_MS, actions: [], ...toast, id: last }]);
  return last;
}

export function removeToast(id: number): void {
  show(shown.filter((toast) => toast.id !== id));
}

/** What is shown, the oldest first. */
export function toasts(): readonly Toast[] {
  return shown;
}

/** Calls back when what is shown changes. */
export function onToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function show(next: readonly Toast[]): void {
  shown = next;
  for (const listener of listeners) listener();
}
