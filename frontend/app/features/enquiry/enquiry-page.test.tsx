import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";
import type { EnquiryAnswer, EnquiryKind } from "#app/lib/enquiry/enquiry.ts";
import { REQUIRED } from "#app/lib/enquiry/rules.gen.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";
import { propertyQuery } from "#app/lib/property/queries.ts";
import { promisesQuery } from "#app/lib/site/promises.ts";
import { settingsOf, siteQuery } from "#app/lib/site/site-query.ts";
import { EnquiryPage } from "./enquiry-page.tsx";

const HOME = {
  ref: "AH-1",
  title: "Casa con patio",
  language: "es",
  images: [],
  location: { slug: "nerja", name: "Nerja" },
};

const SETTINGS = {
  ...settingsOf({} as Parameters<typeof settingsOf>[0]),
  phones: ["+34 951 550 101", "+34 951 550 102"],
};

/** The page of a form about `HOME`, in a language. */
function page(kind: EnquiryKind, locale: Locale = "en", answer?: EnquiryAnswer): string {
  const client = new QueryClient();
  const know = (queryKey: readonly unknown[], body: unknown) =>
    client.setQueryData<unknown>(queryKey, { body, sequence: 1, tags: [] });
  know(siteQuery(locale).queryKey, { settings: SETTINGS });
  know(promisesQuery(locale).queryKey, { answer: "", valuation: "" });
  know(propertyQuery(locale, HOME.ref).queryKey, HOME);
  const Page = createRoutesStub([
    {
      path: "*",
      Component: () => <EnquiryPage kind={kind} reference={HOME.ref} answer={answer} />,
    },
  ]);
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <Page initialEntries={[locale === "es" ? "/es/enquiry" : "/enquiry"]} />
    </QueryClientProvider>,
  );
}

test("a home whose words are in the other language is read out in that language", () => {
  expect(page("viewing")).toContain('<span lang="es-ES" class="block text-xl">Casa con patio');
  expect(page("viewing", "es")).toContain('<span class="block text-xl">Casa con patio');
});

test("the numbers to call when an enquiry can't be sent stand apart", () => {
  const html = page("callback", "en", { failure: "away" });
  const [notice = ""] = /<p role="alert".*?<\/p>/.exec(html) ?? [];
  expect(notice.replaceAll(/<[^>]*>/g, "")).toMatch(/call us: \+34 951 550 101 \+34 951 550 102$/);
});

test("no pictures are chosen before the script has come that sends them", () => {
  const [field] = /<input type="file"[^>]*>/.exec(page("valuation")) ?? [];
  expect(field).toContain(' disabled=""');
});

test("a viewing says what its hours begin with", () => {
  const html = page("viewing");
  expect(html).toContain('<input type="hidden" name="proposedHour" value="10:30"/>');
  expect(html.match(/<option value="10:30" selected="">/g)).toHaveLength(3);
});

/** The names of the fields that say that they are needed. */
const needed = (html: string) =>
  [...html.matchAll(/<(?:input|textarea|select)[^>]* required=""[^>]*>/g)].map(
    ([tag]) => / name="(\w+)"/.exec(tag)?.[1],
  );

test.each(Object.entries(REQUIRED))("what a %s can't do without says so", (kind, required) => {
  const html = page(kind as EnquiryKind);
  const [, legend = ""] = /<legend[^>]*>(.*?)<\/legend>/.exec(html) ?? [];
  for (const name of required) {
    // Which home it is about stands in the address.
    if (name === "ref") continue;
    // Of several days one is needed, and not which.
    if (name === "times") expect(legend).toContain(" (needed)");
    else expect(needed(html)).toContain(kind === "general" && name === "name" ? "firstName" : name);
  }
});
