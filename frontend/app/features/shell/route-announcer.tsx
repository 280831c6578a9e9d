import { useRef, useState } from "react";
import { useNavigated } from "#app/lib/browser/use-navigated.ts";

/**
 * Announces the title of a new page, or of another part of a list, to screen readers. A title that stays
 * the same, as with most filters, is not announced.
 */
export function RouteAnnouncer() {
  const [announcement, setAnnouncement] = useState("");
  // Undefined on the server.
  const title = useRef(globalThis.document?.title);
  useNavigated(() => {
    if (document.title !== title.current) setAnnouncement(document.title);
    title.current = document.title;
  });
  return (
    <p role="status" className="sr-only">
      {announcement}
    </p>
  );
}
