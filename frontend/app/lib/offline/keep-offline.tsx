import { useEffect } from "react";
import { useLocation } from "react-router";
import { isPrivatePath } from "#app/lib/account/private-paths.ts";
import { whenIdle } from "#app/lib/browser/when-idle.ts";

/** Has each page that is seen kept for a time without a connection, once all else is done. */
export function KeepOffline() {
  const { pathname, search } = useLocation();
  useEffect(() => {
    // In development nothing has an address for each of its versions.
    if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
    // What is one visitor's is not left on the device.
    if (isPrivatePath(pathname)) return;
    let left = false;
    whenIdle(async () => {
      const { keepPage } = await import("./service-worker.ts");
      if (!left) await keepPage(pathname + search);
    });
    return () => {
      left = true;
    };
  }, [pathname, search]);
  return null;
}
