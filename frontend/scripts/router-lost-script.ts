import type { Plugin } from "vite";

const MODULE = /react-router\/dist\/\w+\/lib\/dom\/ssr\/routeModules\.js$/;
const ITS_OWN = /window\.location\.reload\(\);\s*return new Promise\(\(\) => \{\s*\}\);/;
const AS_VITE = `
  const lost = Object.assign(new Event("vite:preloadError", { cancelable: true }), { payload: error });
  if (!dispatchEvent(lost)) return new Promise(() => {});
  const fail = () => { throw error; };
  return { clientLoader: fail, default: fail };`;

/**
 * The router reloads the page each time that a route's script can't be had, even for a link that is
 * only pointed at, and so without end where the mouse rests on one. Here it reports the loss as Vite
 * does its own: what hears of it (`app/lib/release/lost-script.ts`) reloads once in ten seconds. Else
 * the route becomes one that fails, and the error page is shown: were the error thrown here, the
 * router would wait for the route's loader without end.
 */
export function routerLostScript(): Plugin {
  let found = false;
  return {
    name: "router-lost-script",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "client",
    transform(code, id) {
      if (!MODULE.test(id)) return;
      found = ITS_OWN.test(code);
      return { code: code.replace(ITS_OWN, AS_VITE), map: null };
    },
    buildEnd(error) {
      if (!error && !found) this.error("the router no longer reloads where this looks for it");
    },
  };
}
