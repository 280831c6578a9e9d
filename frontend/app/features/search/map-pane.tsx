import type { ReactNode } from "react";
import { Boundary } from "#app/lib/browser/boundary.tsx";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { searchMessages } from "./messages.ts";

/** Where the map stands. */
export function MapPane({ children }: { children: ReactNode }) {
  const t = useMessages(searchMessages);
  return (
    <section aria-label={t.mapView} className="map-pane">
      <Boundary fallback={<div className="plaster size-full rounded-card" />}>{children}</Boundary>
    </section>
  );
}
