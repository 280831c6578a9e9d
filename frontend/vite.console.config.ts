import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";

/** Where `npm run dev:console` finds the console's service, which answers `/api`. */
const service = process.env.CONSOLE_URL ?? "http://127.0.0.1:8095";

/**
 * The operators' console: a separate build beside that of the visitors' pages, with the same UI components
 * and design tokens. The service `console` serves its files, and `index.html` for every other path.
 */
export default defineConfig({
  root: "console",
  publicDir: false,
  plugins: [tailwindcss()],
  server: { proxy: { "/api": service } },
  build: {
    outDir: "../build/console",
    emptyOutDir: true,
    // The content security policy forbids `data:` pictures and fonts in styles, and inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      onLog: (level, log, warn) => {
        // "use client" has no meaning without a server.
        if (log.code !== "MODULE_LEVEL_DIRECTIVE") warn(level, log);
      },
    },
  },
});
