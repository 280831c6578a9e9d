import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { whenIdle } from "#app/lib/browser/when-idle.ts";

/** Follows the change stream once the page is shown and the browser has nothing better to do. */
export function LiveChanges() {
  const client = useQueryClient();
  useEffect(() => {
    const start = new AbortController();
    whenIdle(async () => {
      const { followChanges } = await import("./follow-changes.ts");
      if (!start.signal.aborted) followChanges(client, start.signal);
    });
    return () => start.abort();
  }, [client]);
  return null;
}
