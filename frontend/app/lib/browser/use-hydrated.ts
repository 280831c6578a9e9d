import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** Whether React has taken the page over: not yet in what the server sends and in its first render here. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
