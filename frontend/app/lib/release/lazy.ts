import { type ComponentType, type LazyExoticComponent, lazy as reactLazy } from "react";
import { holdsWords } from "./lost-script.ts";

type Lazy<Props> = LazyExoticComponent<ComponentType<Props>> & {
  /** Fetches its script before it is rendered. Where that fails, rendering asks again and tells. */
  preload(): Promise<void>;
};

/**
 * React's `lazy`, for scripts that may be lost: on a page that is about to be left or loaded anew
 * (`lost-script.ts`), or that somebody is writing on, the part is waited for to the page's end, and not
 * told as a fault of the page. What the server sent of it stands meanwhile: it has a `Boundary` of its own.
 */
export function lazy<Props>(
  load: () => Promise<{ default: ComponentType<Props> } | undefined>,
): Lazy<Props> {
  const part = reactLazy(async () => (await load().catch(missing)) ?? new Promise<never>(() => {}));
  const preload = () =>
    load().then(
      () => undefined,
      () => undefined,
    );
  // An upgrade may take the files away from under a renderer, before it is started anew.
  if (import.meta.env.SSR) void preload();
  return Object.assign(part, { preload });
}

/** The error page would take away what somebody is writing. */
function missing(error: unknown): undefined {
  if (import.meta.env.SSR || !holdsWords()) throw error;
}
