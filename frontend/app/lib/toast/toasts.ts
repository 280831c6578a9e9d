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

let last = 0;
const waiting: Toast[] = [];
const listeners = new Set<() => void>();

/** Says `title` in the corner for a while, and gives the toast's id. */
export function addToast(
  toast: Pick<Toast, "title"> & Partial<Omit<Toast, "id" | "title">>,
): number {
  // Two of one millisecond are two.
  last = Math.max(Date.now(), last + 1);
  waiting.push({ timeout: TOAST_MS, actions: [], ...toast, id: last });
  for (const listener of listeners) listener();
  return last;
}

/** The toasts that nobody has shown yet, the oldest first: they are the caller's now. */
export function takeToasts(): Toast[] {
  return waiting.splice(0);
}

/** Calls back for each toast that is added. */
export function onToast(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
