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
    const keep: WorkerCall = async ({ keepPage, startOffline }) => {
      if (left) return;
      // What is one visitor's is not left on the device; that the connection is gone is said there too.
      if (isPrivatePath(pathname)) await startOffline();
      else await keepPage(pathname + search, document.images);
    };
    whenIdle(() => withWorker(keep));
    return () => {
      left = true;
    };
  }, [pathname, search]);
  return null;
}

/** Has a page kept that need not be open, in the language of its address. */
export async function keepAhead(address: string): Promise<void> {
  if (keepsPages()) await withWorker(({ keepPage }) => keepPage(address));
}

type WorkerCall = (worker: typeof import("./service-worker.ts")) => Promise<void>;

async function withWorker(call: WorkerCall): Promise<void> {
  try {
    await call(await import("./service-worker.ts"));
  } catch {
    // What could not be kept can be read with a connection.
  }
}

/** In development nothing has an address for each of its versions. */
function keepsPages(): boolean {
  return import.meta.env.PROD && "serviceWorker" in navigator;
}
