import type { Analytics } from "#app/lib/site/analytics.ts";

const ID = "analytics";

/** Loads the counting service's script, once. It finds the site's token where such services look. */
export function count({ src, token }: Analytics): void {
  if (document.getElementById(ID)) return;
  const script = document.createElement("script");
  script.id = ID;
  script.src = src;
  script.async = true;
  script.dataset.cfBeacon = JSON.stringify({ token });
  document.head.append(script);
}
