import type { Plugin } from "vite";

const MODULE = /react-router\/dist\/\w+\/lib\/dom\/ssr\/routeModules\.js$/;
const ROUTER_CODE = /window\.location\.reload\(\);\s*return new Promise\(\(\) => \{\s*\}\);/;
const REPLACEMENT = `
  const lost = Object.assign(new Event("vite:preloadError", { cancelable: true }), { payload: error });
  if (!dispatchEvent(lost)) return new Promise(() => {});
  const fail = () => { throw error; };
  return { clientLoader: fail, default: fail };`;

/**
 * A Vite plugin that patches how the router handles a route's script that fails to load, since the router has
 * no setting for it. It reloads the page each time, even for a link that is only hovered, and so endlessly while
 * the mouse rests on one. The patch reports the failure as Vite reports its own: the listener in
 * `app/lib/release/lost-script.ts` reloads at most once in ten seconds. Otherwise the route is replaced by
 * one that fails, which shows the error page: if the patch threw the error, the router would wait for the
 * route's loader forever.
 */
export function routerLostScript(): Plugin {
  let found = false;
  return {
    name: "router-lost-script",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "client",
    transform(code, id) {
      if (!MODULE.test(id)) return;
      found = ROUTER_CODE.test(code);
      return { code: code.replace(ROUTER_CODE, REPLACEMENT), map: null };
    },
    buildEnd(error) {
      if (!error && !found)
        this.error(
          "scripts/router-lost-script.ts: react-router no longer reloads the page where this looks for it",
        );
    },
  };
}
