import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import { firstLoadChunks } from "./scripts/first-load-chunks.ts";
import { routerLostScript } from "./scripts/router-lost-script.ts";
import { serviceWorker } from "./scripts/service-worker.ts";

/** Where `npm run dev` proxies what the site service serves in production: the API and the pictures. */
const door = process.env.PUBLIC_URL ?? "http://127.0.0.1:8080";

/**
 * Makes the browser compile a complete script while it loads, off the main thread, instead of function by
 * function during hydration. Chromium understands the hint; for other browsers it is a comment.
 */
const COMPILE_AHEAD = "//# allFunctionsCalledOnLoad\n";

export default defineConfig({
  plugins: [tailwindcss(), reactRouter(), routerLostScript(), serviceWorker()],
  server: { proxy: { "/api": door, "/media": door, "/map": door } },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: { groups: firstLoadChunks() },
            // The first load names every script that exists: one character less in each name saves a hundred
            // bytes.
            entryFileNames: "assets/[name]-[hash:7].js",
            chunkFileNames: "assets/[name]-[hash:7].js",
            postBanner: ({ name }) => (name === "libraries" ? COMPILE_AHEAD : ""),
          },
        },
      },
    },
  },
  build: {
    // A picture or font inlined as `data:` would be refused by the Content-Security-Policy.
    assetsInlineLimit: 0,
  },
});
