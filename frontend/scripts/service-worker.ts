import { build, type Plugin } from "vite";

const ENTRY = new URL("../app/service-worker/service-worker.ts", import.meta.url).pathname;

/** Builds the service worker: one script without imports, as browsers need it. */
export async function buildServiceWorker(): Promise<string> {
  const built = await build({
    configFile: false,
    publicDir: false,
    logLevel: "warn",
    build: {
      write: false,
      modulePreload: false,
      rolldownOptions: {
        input: ENTRY,
        output: { format: "iife" },
        onLog: (level, log, warn) => {
          // "use client" has no meaning in a worker.
          if (log.code !== "MODULE_LEVEL_DIRECTIVE") warn(level, log);
        },
      },
    },
  });
  const outputs = "output" in built ? built.output : [];
  const [script, ...others] = outputs;
  if (script?.type !== "chunk" || others.length > 0) {
    throw new Error(`the service worker is ${outputs.length} files, not one script`);
  }
  return script.code;
}

/** A Vite plugin that builds the service worker beside the pages, at an address that stays the same. */
export function serviceWorker(): Plugin {
  return {
    name: "service-worker",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "client",
    async generateBundle() {
      this.emitFile({ type: "asset", fileName: "sw.js", source: await buildServiceWorker() });
    },
  };
}
