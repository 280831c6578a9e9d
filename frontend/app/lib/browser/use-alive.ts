import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** Whether the script has taken the page over: false on the server, and while React looks at its work. */
export function useAlive(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
