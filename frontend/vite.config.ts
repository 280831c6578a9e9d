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
  },
});
