import { type ReactNode, useEffect, useRef } from "react";
import { useLocation, useNavigationType } from "react-router";
import { fieldsOf } from "#app/lib/api/answer.ts";
import { Boundary } from "#app/lib/browser/boundary.tsx";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { searchMessages } from "./messages.ts";

/** Where the map stands. */
export function MapPane({ children }: { children: ReactNode }) {
  const t = useMessages(searchMessages);
  const pane = useRef<HTMLElement>(null);
  const { state }: { state: unknown } = useLocation();
  // The history keeps the choice: a page that is loaded again or come back to stays where it was.
  const isChosen = useNavigationType() === "PUSH" && fieldsOf(state).chosen === "map";
  useEffect(() => {
    // Beside the list it is in sight; below the head of a small screen it may be not.
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
