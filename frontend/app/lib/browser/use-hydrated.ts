import { useSyncExternalStore } from "react";

const subscribe = () => () => undefined;

/** Returns whether React has hydrated the page: false on the server and in the first render in the browser. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
}
