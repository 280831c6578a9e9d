import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import { routerLostScript } from "./scripts/router-lost-script.ts";

/** Where `npm run dev` proxies what the site service serves in production: the API and the pictures. */
const door = process.env.PUBLIC_URL ?? "http://127.0.0.1:8080";

/** The modules that nearly every page needs; their dependencies are included. */
const IN_SHELL = [
  "routes/layout",
  "features/content/queries",
  "features/error/page-error",
  "features/property/card/property-card",
  "lib/search/queries",
  "features/search/submit",
  "features/search/type-ahead/search-field",
  "lib/browser/use-hydrated",
  "lib/query/seed",
  "lib/seo/structured-data",
  "lib/site/place-label",
  "ui/card-sizes",
  "ui/prose",
];

/**
 * The chunks of the first load: two files that every page needs, instead of twenty, and more that lists,
 * forms, enquiries and a home's sections share. Packed together they are about a tenth smaller. The libraries
 * change rarely, and keep their file name from build to build.
 */
const firstLoad = {
  groups: [
    {
      name: "libraries",
      test: /\/node_modules\/(react|react-dom|react-router|scheduler|cookie-es|@tanstack)\//,
      priority: 2,
    },
    // Not the root, whose stylesheet would then be loaded with every part that is loaded later, and not the
    // entry, which must not run because a page imports the layout.
    {
      name: "shell",
      test: new RegExp(`/app/(${IN_SHELL.join("|")})\\.tsx?`),
      priority: 1,
    },
    // What the list shares with pages that load little else.
    {
      name: "search",
      test: /\/app\/(features\/search\/(applied-filters|filter-ids|list-heading|place-pages)|lib\/account\/saved-searches)\.ts/,
    },
    // What the list shares with code that is loaded after the first load.
    { name: "list", test: /\/app\/(features\/search\/understood|lib\/site\/places)\.ts/ },
    // Vocabulary of a home's sections, and of an editor's preview.
    { name: "words", test: /\/app\/lib\/(vocabulary\/(energy|rooms)\.gen|property\/embeds)\.ts/ },
    // The fields of forms with what the page says of their outcome, and below the enquiry form.
    {
      name: "fields",
      test: /\/app\/(ui\/(checkbox|error-summary|field|select|text-field)\.tsx|lib\/account\/title-with-outcome\.ts)/,
    },
    {
      name: "enquiry",
      test: /\/app\/(features|lib)\/enquiry\/(enquiry|enquiry-form|home-enquiry)\.tsx?/,
    },
  ],
};

/**
 * Makes the browser compile a complete script while it loads, off the main thread, instead of function by
 * function during hydration. Chromium understands the hint; for other browsers it is a comment.
 */
const COMPILE_AHEAD = "//# allFunctionsCalledOnLoad\n";

export default defineConfig({
  plugins: [tailwindcss(), reactRouter(), routerLostScript()],
  server: { proxy: { "/api": door, "/media": door, "/map": door } },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: firstLoad,
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
