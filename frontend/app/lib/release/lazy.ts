import { type ComponentType, type LazyExoticComponent, lazy as reactLazy } from "react";
import { hasUnsavedText } from "./lost-script.ts";

type Lazy<Props> = LazyExoticComponent<ComponentType<Props>> & {
  /**
   * Fetches the script before the part is rendered. If that fails, rendering fetches again and reports the
   * error.
   */
  preload(): Promise<void>;
};

/**
 * React's `lazy` for scripts that may fail to load. On a page that is about to be left or reloaded
 * (`lost-script.ts`), or that a visitor is typing on, the part stays pending until the page ends, and shows
 * no error. Meanwhile its server-rendered HTML stays: it has a `Boundary` of its own.
 */
export function lazy<Props>(
  load: () => Promise<{ default: ComponentType<Props> } | undefined>,
): Lazy<Props> {
  const part = reactLazy(
    async () => (await load().catch(suspendIfTyping)) ?? new Promise<never>(() => {}),
  );
  const preload = () =>
    load().then(
      () => undefined,
      () => undefined,
    );
  // An upgrade may delete the files while a renderer runs, before it is restarted.
  if (import.meta.env.SSR) void preload();
  return Object.assign(part, { preload });
}

/** Suppresses the error on a page with unsaved text: the error page would discard it. */
function suspendIfTyping(error: unknown): undefined {
  if (import.meta.env.SSR || !hasUnsavedText()) throw error;
}
