import { useSyncExternalStore } from "react";
import type { MyHome, MyHomes } from "./my-home.ts";
import { type HomesState, myHomes, myHomesState, noHomes, onMyHomes } from "./store.ts";

/** Returns the visitor's homes; none during hydration. */
export function useMyHomes(): MyHomes {
  return useSyncExternalStore(onMyHomes, myHomes, noHomes);
}

/** Returns whether these are all of them. */
export function useMyHomesState(): HomesState {
  return useSyncExternalStore(onMyHomes, myHomesState, () => "loading");
}

/** Returns one of the homes, if it is known. */
export function useMyHome(reference: string): MyHome | undefined {
  return useSyncExternalStore(
    onMyHomes,
    () => myHomes().get(reference),
    () => undefined,
  );
}
