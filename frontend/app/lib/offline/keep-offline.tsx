import { useEffect } from "react";
import { useLocation } from "react-router";
import { isPrivatePath } from "#app/lib/account/private-paths.ts";
import { whenIdle } from "#app/lib/browser/when-idle.ts";

/**
 * Has the service worker cache each page that is visited, for use without a connection, once the browser is
 * idle.
 */
export function KeepOffline() {
  const { pathname, search } = useLocation();
  useEffect(() => {
    if (!canCachePages()) return;
    let isUnmounted = false;
    const cacheThis: WorkerCall = async ({ keepPage, startOffline }) => {
      if (isUnmounted) return;
      // Private pages are not stored on the device, but they too show that the connection is lost.
      if (isPrivatePath(pathname)) await startOffline();
      else await keepPage(pathname + search, document.images);
    };
    whenIdle(() => withWorker(cacheThis));
    return () => {
      isUnmounted = true;
    };
  }, [pathname, search]);
  return null;
}

/** Caches the page of a favourite, which need not be open, in the language of its address. */
export async function cacheFavourite(address: string): Promise<void> {
  if (canCachePages()) await withWorker(({ keepFavourite }) => keepFavourite(address));
}

type WorkerCall = (worker: typeof import("./service-worker.ts")) => Promise<void>;

async function withWorker(call: WorkerCall): Promise<void> {
  try {
    await call(await import("./service-worker.ts"));
  } catch {
    // A page that could not be cached can still be read with a connection.
  }
}

/** In development, files don't have versioned addresses. */
function canCachePages(): boolean {
  return import.meta.env.PROD && "serviceWorker" in navigator;
}
