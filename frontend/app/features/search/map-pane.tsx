import { type ReactNode, useEffect, useRef } from "react";
import { useLocation, useNavigationType } from "react-router";
import { Boundary } from "#app/lib/browser/boundary.tsx";
import { useMessages } from "#app/lib/i18n/messages.ts";
import type { NavigationState } from "#app/lib/search/navigation-state.ts";
import { searchMessages } from "./messages.ts";

/** The section of the page that shows the map. */
export function MapPane({ children }: { children: ReactNode }) {
  const t = useMessages(searchMessages);
  const pane = useRef<HTMLElement>(null);
  const state: NavigationState | null = useLocation().state;
  // The choice stays in the history's state: a reload or a step back must not scroll again.
  const isChosen = useNavigationType() === "PUSH" && state?.chosen === "map";
  useEffect(() => {
    // Beside the list the map is in view. On a small screen, below the heading, it may not be.
    if (isChosen && matchMedia("(width < 64rem)").matches) {
      pane.current?.scrollIntoView({ block: "nearest" });
    }
  }, [isChosen]);
  return (
    <section ref={pane} aria-label={t.mapView} className="map-pane">
      <Boundary fallback={<div className="plaster size-full rounded-card" />}>{children}</Boundary>
    </section>
  );
}
