import { isPrivatePath } from "#app/lib/account/private-paths.ts";
import type { Analytics } from "#app/lib/site/analytics.ts";

const ID = "analytics";

/**
 * Loads the counting service's script, once. It finds the site's token where such services look. Not where
 * it would be told of a page of one visitor: its address may hold what signs them in, and that is nobody
 * else's. Nor may the script follow steps within the site (`spa`): they lead to such pages too.
 */
export function count({ src, token }: Analytics): void {
  if (document.getElementById(ID) || tellsPrivatePage()) return;
  const script = document.createElement("script");
  script.id = ID;
  script.src = src;
  script.async = true;
  script.dataset.cfBeacon = JSON.stringify({ token, spa: false });
  document.head.append(script);
}

/** Whether this page is one visitor's, or the document began with one, or was come to from one. */
function tellsPrivatePage(): boolean {
  const [loaded] = performance.getEntriesByType("navigation");
  return [location.href, loaded?.name, document.referrer].some((address) => {
    if (!address) return false;
    const { origin, pathname } = new URL(address);
    return origin === location.origin && isPrivatePath(pathname);
  });
}
