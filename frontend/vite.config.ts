import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import { routerLostScript } from "./scripts/router-lost-script.ts";

/** Where `npm run dev` finds what the site service answers in production: the API and the pictures. */
const door = process.env.PUBLIC_URL ?? "http://127.0.0.1:8080";

/** What nearly every page needs, with all that these need. */
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
 * What every page starts with, in two files instead of twenty, and four more of what lists, forms,
 * enquiries and a home's sections share: packed together they are about a tenth smaller. The libraries
 * change seldom and keep their name from build to build.
 */
const firstLoad = {
  groups: [
    {
      name: "libraries",
      test: /\/node_modules\/(react|react-dom|react-router|scheduler|cookie-es|@tanstack)\//,
      priority: 2,
    },
    // Not the root, whose stylesheet would then come along with every part that is loaded later, and
    // not the entry, which must not run because a page asks for the layout.
    {
      name: "shell",
      test: new RegExp(`/app/(${IN_SHELL.join("|")})\\.tsx?`),
      priority: 1,
    },
    // What the list shares with pages that load little else.
    {
      name: "search",
      test: /\/app\/(features\/search\/(applied-filters|list-heading|place-pages)|lib\/account\/saved-searches)\.ts/,
    },
    // And with what comes after its first load.
    { name: "list", test: /\/app\/(features\/search\/understood|lib\/site\/places)\.ts/ },
    // What a home's sections call things, and an editor's preview too.
    { name: "words", test: /\/app\/lib\/(vocabulary\/(energy|rooms)\.gen|property\/embeds)\.ts/ },
    // What forms are made of, and that of an enquiry.
    { name: "fields", test: /\/app\/ui\/(checkbox|error-summary|field|select|text-field)\.tsx/ },
    {
      name: "enquiry",
      test: /\/app\/(features|lib)\/enquiry\/(enquiry|enquiry-form|home-enquiry)\.tsx?/,
    },
  ],
};

/**
 * Has the browser compile a whole script while it loads, beside the page's own thread, and not
 * function by function when the page hydrates. Chromium knows the hint; to others it is a comment.
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
            // The first load names every script that there is: one letter of each less is a hundred bytes.
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
