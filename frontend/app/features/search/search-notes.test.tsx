import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import type { Locale } from "#app/lib/i18n/locale.ts";
import { parseSearch } from "#app/lib/search/search-params.ts";
import { siteQuery } from "#app/lib/site/site-query.ts";
import SearchNotes from "./search-notes.tsx";

/** Renders the notes of a search, on a site whose only places are Nerja and Torrox. */
function notesOf(query: string, locale: Locale = "en", leftOut = ""): string {
  const client = new QueryClient();
  const locations = ["nerja", "torrox"].map((slug) => ({ slug, name: slug, partOf: null }));
  const site = { body: { locations }, sequence: 1, tags: [] };
  client.setQueryData<unknown>(siteQuery(locale).queryKey, site);
  const search = parseSearch(new URLSearchParams(query));
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <MemoryRouter initialEntries={[locale === "es" ? "/es" : "/"]}>
        <SearchNotes search={search} list={{ understood: [], leftOut, ruledOut: "" }} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

test("a place that does not exist any more is reported, whether searched for or excluded", () => {
  const text = notesOf("location=atlantis&location=nerja&notLocation=lyonesse");
  expect(text).toContain("“Atlantis” is no longer one of our areas.");
  expect(text).toContain("“Lyonesse” is no longer one of our areas.");
  expect(text).not.toContain("Nerja");
  const spanish = notesOf("location=atlantis&location=nerja", "es");
  expect(spanish).toContain("Aquí ya no hay ninguna zona «Atlantis».");
});

test("words that were left out are said to be missing in the listed properties only", () => {
  expect(notesOf("location=nerja", "en", "piano")).toContain(
    "Shown without “piano”: none of these properties mentions it.",
  );
  expect(notesOf("location=nerja", "es", "piano")).toContain(
    "Se muestra sin «piano»: ninguno de estos inmuebles lo menciona.",
  );
});

test("existing places need no note", () => {
  expect(notesOf("location=nerja&location=torrox&notLocation=nerja")).toBe("");
});
