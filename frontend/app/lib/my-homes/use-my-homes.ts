import { useSyncExternalStore } from "react";
import type { MyHome, MyHomes } from "./my-home.ts";
import { type HomesState, myHomes, myHomesState, nobodysHomes, onMyHomes } from "./store.ts";

/** The homes of whoever uses this browser; none while the page is taken over. */
export function useMyHomes(): MyHomes {
  return useSyncExternalStore(onMyHomes, myHomes, nobodysHomes);
}

/** Whether these are all of them. */
export function useMyHomesState(): HomesState {
  return useSyncExternalStore(onMyHomes, myHomesState, () => "loading");
}

/** One of them, where something is known of it. */
export function useMyHome(reference: string): MyHome | undefined {
  return useSyncExternalStore(
    onMyHomes,
    () => myHomes().get(reference),
    () => undefined,
  );
}
