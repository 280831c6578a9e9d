import { isPrivatePath } from "#app/lib/account/private-paths.ts";
import type { Analytics } from "#app/lib/site/analytics.ts";

const ID = "analytics";

/**
 * Loads the analytics service's script, once, with the site's token in the attribute that it reads. Does nothing
 * where the service would learn the address of a private page, which may hold a sign-in token. For the same
 * reason the script must not follow client-side navigation (`spa`).
 */
export function count({ src, token }: Analytics): void {
  if (document.getElementById(ID) || exposesPrivatePage()) return;
  const script = document.createElement("script");
  script.id = ID;
  script.src = src;
  script.async = true;
  script.dataset.cfBeacon = JSON.stringify({ token, spa: false });
  document.head.append(script);
}

/** Whether this page, the address that the document was loaded at, or the referrer is private. */
function exposesPrivatePage(): boolean {
  const [loaded] = performance.getEntriesByType("navigation");
  return [location.href, loaded?.name, document.referrer].some((address) => {
    if (!address) return false;
    const { origin, pathname } = new URL(address);
    return origin === location.origin && isPrivatePath(pathname);
  });
}
