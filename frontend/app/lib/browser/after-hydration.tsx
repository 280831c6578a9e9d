import type { ReactNode } from "react";
import { Boundary } from "./boundary.tsx";
import { useHydrated } from "./use-hydrated.ts";

/**
 * Renders content that depends on the visitor. Server-rendered pages are the same for everybody, so this is
 * rendered after hydration, from scripts of its own.
 */
export function AfterHydration({ children }: { children: ReactNode }) {
  return useHydrated() ? <Boundary>{children}</Boundary> : null;
}
