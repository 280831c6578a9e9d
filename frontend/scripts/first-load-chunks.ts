import { existsSync } from "node:fs";

const APP = new URL("../app/", import.meta.url);

/** Packages that every page needs. They change rarely, and keep their chunk's name from build to build. */
const LIBRARIES = ["react", "react-dom", "react-router", "scheduler", "cookie-es", "@tanstack"];

/** Modules by their chunk, as paths in `app`; what a module imports is included. */
const MODULES = {
  // What nearly every page needs. Not the root, whose stylesheet would then be loaded with every part that is
  // loaded later, and not the entry, which must not run because a page imports the layout.
  shell: [
    "routes/layout.tsx",
    "features/content/queries.ts",
    "features/error/page-error.tsx",
    "features/property/card/property-card.tsx",
    "lib/search/queries.ts",
    "features/search/submit.ts",
    "features/search/type-ahead/search-field.tsx",
    "lib/browser/use-hydrated.ts",
    "lib/query/seed.tsx",
    "lib/seo/structured-data.ts",
    "lib/site/place-label.ts",
    "ui/card-sizes.ts",
    "ui/prose.tsx",
  ],
  // What the list shares with pages that load little else.
  search: [
    "features/search/applied-filters.tsx",
    "features/search/filter-ids.ts",
    "features/search/list-heading.ts",
    "features/search/place-pages.ts",
    "lib/account/saved-searches.ts",
  ],
  // What the list shares with code that is loaded after the first load.
  list: ["features/search/understood.ts", "lib/site/places.ts"],
  // Vocabulary of a home's sections, and of an editor's preview.
  words: ["lib/vocabulary/energy.gen.ts", "lib/vocabulary/rooms.gen.ts", "lib/property/embeds.ts"],
  // The fields of forms with their lengths and what the page says of their outcome, and below the enquiry form.
  fields: [
    "ui/checkbox.tsx",
    "ui/error-summary.tsx",
    "ui/field.tsx",
    "ui/select.tsx",
    "ui/text-field.tsx",
    "lib/account/title-with-outcome.ts",
    "lib/account/lengths.gen.ts",
  ],
  enquiry: [
    "features/enquiry/enquiry-form.tsx",
    "features/enquiry/home-enquiry.tsx",
    "lib/enquiry/enquiry.ts",
  ],
};

/** Returns a pattern of the modules at `paths` below `folder`. */
const below = (folder: string, paths: readonly string[]) =>
  new RegExp(`/${folder}/(?:${paths.map((path) => path.replaceAll(".", "\\.")).join("|")})`);

/**
 * The chunks of the first load: two files that every page needs, instead of twenty, and more that lists,
 * forms, enquiries and a home's sections share. Packed together they are about a tenth smaller.
 */
export function firstLoadChunks(modules: Readonly<Record<string, readonly string[]>> = MODULES) {
  const missing = Object.values(modules)
    .flat()
    .filter((path) => !existsSync(new URL(path, APP)));
  if (missing.length > 0) {
    throw new Error(
      `scripts/first-load-chunks.ts names modules that are gone: ${missing.join(", ")}`,
    );
  }
  return [
    {
      name: "libraries",
      test: below(
        "node_modules",
        LIBRARIES.map((name) => `${name}/`),
      ),
      priority: 2,
    },
    ...Object.entries(modules).map(([name, paths]) => ({
      name,
      test: below("app", paths),
      ...(name === "shell" && { priority: 1 }),
    })),
  ];
}
