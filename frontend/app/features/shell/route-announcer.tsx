import { useState } from "react";
import { useNavigated } from "#app/lib/browser/use-navigated.ts";

/** Says the title of a new page, or of another part of a list, to who can't see that it came. */
export function RouteAnnouncer() {
  const [title, setTitle] = useState("");
  useNavigated(() => setTitle(document.title));
  return (
    <p role="status" className="sr-only">
      {title}
    </p>
  );
}
