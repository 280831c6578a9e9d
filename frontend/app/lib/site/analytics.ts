import { useRootData } from "./root-data.ts";

/** A third party's script that counts visits, configured as its service requires. */
export interface Analytics {
  readonly src: string;
  readonly token: string;
}

/** Returns the operator's configuration; without one there is nothing to consent to. */
export function useAnalytics(): Analytics | undefined {
  return useRootData()?.analytics;
}
