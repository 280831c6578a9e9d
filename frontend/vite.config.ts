import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";

/** Where `npm run dev` finds what the site service answers in production: the API and the pictures. */
const door = process.env.PUBLIC_URL ?? "http://127.0.0.1:8080";

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  server: { proxy: { "/api": door, "/media": door } },
  build: {
    // A picture or font inlined as `data:` would be refused by the Content-Security-Policy.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // What every page needs in two pieces, of libraries and of ours: left to itself, each
          // module that two pages share and a third does not is a file, and small files pack badly.
          groups: [
            {
              name: "libraries",
              test: /node_modules\/(?:react|react-dom|scheduler|react-router|@tanstack)\//,
              priority: 1,
            },
            {
              name: "shell",
              test: /app\/(?:features\/shell\/(?!shell-samples)|ui\/progress-bar|lib\/live\/live-changes)/,
            },
          ],
        },
      },
    },
  },
});
