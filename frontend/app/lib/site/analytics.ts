import { useRootData } from "./root-data.ts";

/** A third party's script that counts visits, as its service wants it loaded. */
export interface Analytics {
  readonly src: string;
  readonly token: string;
}

/** What the operator has configured; without it there is nothing to consent to. */
export function useAnalytics(): Analytics | undefined {
  return useRootData()?.analytics;
}
