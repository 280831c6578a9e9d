import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";

/** Where `npm run dev:console` finds the console's service, which answers `/api`. */
const service = process.env.CONSOLE_URL ?? "http://127.0.0.1:8095";

/**
 * The operators' console: a build of its own, beside that of the visitors' pages, with their kit and
 * their tokens. The service `console` gives its files, and `index.html` for every other path.
 */
export default defineConfig({
  root: "console",
  publicDir: false,
  plugins: [tailwindcss()],
  server: { proxy: { "/api": service } },
  build: {
    outDir: "../build/console",
    emptyOutDir: true,
    // The policy lets no picture or font come as `data:` in a style, and no script stand in the page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      onLog: (level, log, warn) => {
        // "use client" says nothing where there is no server.
        if (log.code !== "MODULE_LEVEL_DIRECTIVE") warn(level, log);
      },
    },
  },
});
