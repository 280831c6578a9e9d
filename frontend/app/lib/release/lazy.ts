import { type ComponentType, lazy as reactLazy } from "react";

/**
 * React's `lazy`, for scripts that may be lost: on a page that is about to be left or loaded anew
 * (`lost-script.ts`) the part is waited for to its end, and not told as a fault of the page.
 */
export function lazy<Props>(load: () => Promise<{ default: ComponentType<Props> } | undefined>) {
  return reactLazy(async () => (await load()) ?? new Promise<never>(() => {}));
}
