import { useRef, useState } from "react";
import { useNavigated } from "#app/lib/browser/use-navigated.ts";

/**
 * Says the title of a new page, or of another part of a list, to who can't see that it came. One that stays,
 * as with most filters, is no news.
 */
export function RouteAnnouncer() {
  const [announcement, setAnnouncement] = useState("");
  // None on the server.
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
