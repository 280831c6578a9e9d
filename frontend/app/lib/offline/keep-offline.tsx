import { useEffect } from "react";
import { useLocation } from "react-router";
import { isPrivatePath } from "#app/lib/account/private-paths.ts";
import { whenIdle } from "#app/lib/browser/when-idle.ts";

/** Has each page that is seen kept for a time without a connection, once all else is done. */
export function KeepOffline() {
  const { pathname, search } = useLocation();
  useEffect(() => {
    if (!keepsPages()) return;
    let left = false;
    whenIdle(async () => {
      try {
        const { keepPage, startOffline } = await import("./service-worker.ts");
        if (left) return;
        // What is one visitor's is not left on the device; that the connection is gone is said there too.
        if (isPrivatePath(pathname)) await startOffline();
        else await keepPage(pathname + search, document.images);
      } catch {
        // It can be read with a connection.
      }
    });
    return () => {
      left = true;
    };
  }, [pathname, search]);
  return null;
}

/** Has a page kept that need not be open, in the language of its address. */
export async function keepAhead(address: string): Promise<void> {
  if (!keepsPages()) return;
  try {
    const { keepPage } = await import("./service-worker.ts");
    await keepPage(address);
  } catch {
    // It can be read with a connection.
  }
}

/** In development nothing has an address for each of its versions. */
function keepsPages(): boolean {
  return import.meta.env.PROD && "serviceWorker" in navigator;
}
