import { type ReactNode, Suspense } from "react";
import { useHydrated } from "./use-hydrated.ts";

/**
 * What only the browser knows, of whoever uses it. Pages are the same for everybody: this comes when
 * React has taken the page over, with scripts of its own.
 */
export function AfterHydration({ children }: { children: ReactNode }) {
  return useHydrated() ? <Suspense>{children}</Suspense> : null;
}
