import type { IconName } from "#app/lib/icon-names.ts";

/** How long a toast stays unless it says otherwise. */
export const TOAST_MS = 5_000;
/** How long one stays that takes back what was done: time for who reads slowly, or listens. */
export const UNDO_MS = 20_000;

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
  /** A drawing before the words, or the face of whoever they are about. */
  icon?: IconName;
  avatar?: ToastAvatar;
  /** Of the drawing: how it went. The words say so too. */
  color: ToastColor;
  /** Milliseconds; it is still while it is pointed at. */
  timeout: number;
  actions: readonly ToastAction[];
  /** Whether it can be closed before its time. */
  closeButton: boolean;
  /** Its title is pressed; it stays for its time. */
  click?: () => void;
  /** Ends it before its time. */
  signal?: AbortSignal;
  /** Called once when it goes, whether its time was over, it was closed, or what it offered was taken. */
  callback?: () => void;
}

/** Somebody's picture; without one, their initials. */
export interface ToastAvatar {
  name: string;
  src?: string;
}

export type ToastColor = "ink" | "leaf" | "clay" | "sea";

let last = 0;
const waiting: Toast[] = [];
const listeners = new Set<() => void>();

/** Says `title` in the corner for a while, and gives the toast's id. */
export function addToast(
  toast: Pick<Toast, "title"> & Partial<Omit<Toast, "id" | "title">>,
): number {
  // Two of one millisecond are two.
  last = Math.max(Date.now(), last + 1);
  waiting.push({
    color: "ink",
    timeout: TOAST_MS,
    actions: [],
    closeButton: true,
    ...toast,
    id: last,
  });
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
