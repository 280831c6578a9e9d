import type { IconName } from "#app/lib/icon-names.ts";

/** How long a toast stays by default. */
export const TOAST_MS = 5_000;
/** How long a toast with an undo action stays: long enough for slow readers and for screen readers. */
export const UNDO_MS = 20_000;

/** An action that a toast offers. */
interface ToastAction {
  label: string;
  click: () => void;
}

/** A short notice of something that has just happened, which requires no answer. */
export interface Toast {
  /** A unique timestamp. */
  id: number;
  title: string;
  description?: string;
  /** An icon before the text, or the avatar of the person it is about. */
  icon?: IconName;
  avatar?: ToastAvatar;
  /** The icon's colour, which shows the outcome. The text says it too. */
  color: ToastColor;
  /** In milliseconds; paused while the pointer is over the toast. */
  timeout: number;
  actions: readonly ToastAction[];
  /** Whether it has a button to close it early. */
  closeButton: boolean;
  /** Called when its title is pressed; the toast stays for its time. */
  click?: () => void;
  /** Closes it early. */
  signal?: AbortSignal;
  /** Called once when it closes: because its time is over, it was closed, or its action was taken. */
  callback?: () => void;
}

/** A person's picture, or their initials if there is none. */
interface ToastAvatar {
  name: string;
  src?: string;
}

export type ToastColor = "ink" | "leaf" | "clay" | "sea";

let last = 0;
const waiting: Toast[] = [];
const listeners = new Set<() => void>();

/** Shows a toast in the corner for a while, and returns its id. */
export function addToast(
  toast: Pick<Toast, "title"> & Partial<Omit<Toast, "id" | "title">>,
): number {
  // Two toasts in the same millisecond get different ids.
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

/** Returns and removes the toasts that are not shown yet, the oldest first. */
export function takeToasts(): Toast[] {
  return waiting.splice(0);
}

/** Calls back for each toast that is added. */
export function onToast(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
