import type { ReactNode } from "react";
import { Boundary } from "./boundary.tsx";
import { useHydrated } from "./use-hydrated.ts";

/**
 * What only the browser knows, of whoever uses it. Pages are the same for everybody: this comes when
 * React has taken the page over, with scripts of its own.
 */
export function AfterHydration({ children }: { children: ReactNode }) {
  return useHydrated() ? <Boundary>{children}</Boundary> : null;
}
