import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";
import type { EnquiryAnswer, EnquiryKind } from "#app/lib/enquiry/enquiry.ts";
import { LENGTHS, REQUIRED } from "#app/lib/enquiry/rules.gen.ts";
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

/** Renders the enquiry page about `HOME` in `locale`. */
function render(kind: EnquiryKind, locale: Locale = "en", answer?: EnquiryAnswer): string {
  const client = new QueryClient();
  const setAnswer = (queryKey: readonly unknown[], body: unknown) =>
    client.setQueryData<unknown>(queryKey, { body, sequence: 1, tags: [] });
  setAnswer(siteQuery(locale).queryKey, { settings: SETTINGS });
  setAnswer(promisesQuery(locale).queryKey, { answer: "", valuation: "" });
  setAnswer(propertyQuery(locale, HOME.ref).queryKey, HOME);
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

test("a home's title in the other language is marked with that language", () => {
  expect(render("viewing")).toContain('<span lang="es-ES" class="block text-xl">Casa con patio');
  expect(render("viewing", "es")).toContain('<span class="block text-xl">Casa con patio');
});

test("the phone numbers after a failed enquiry are separated by spaces", () => {
  const html = render("callback", "en", { failure: "away" });
  const [notice = ""] = /<p role="alert".*?<\/p>/.exec(html) ?? [];
  expect(notice.replaceAll(/<[^>]*>/g, "")).toMatch(/call us: \+34 951 550 101 \+34 951 550 102$/);
});

test("the pictures field is disabled until the script that sends pictures has loaded", () => {
  const [field] = /<input type="file"[^>]*>/.exec(render("valuation")) ?? [];
  expect(field).toContain(' disabled=""');
});

test("the viewing form sends the initial value of its time fields", () => {
  const html = render("viewing");
  expect(html).toContain('<input type="hidden" name="proposedHour" value="10:30"/>');
  expect(html.match(/<option value="10:30" selected="">/g)).toHaveLength(3);
});

test("a line takes no more than the service accepts", () => {
  const lines = [...render("valuation").matchAll(/<input[^>]*>/g)].map(([tag]) => tag);
  for (const name of ["name", "email", "phone", "address"] as const) {
    const line = lines.find((tag) => tag.includes(` name="${name}"`));
    expect(line).toContain(` maxLength="${LENGTHS[name].max}"`);
  }
});

/** Returns the names of the fields that are marked as required. */
const needed = (html: string) =>
  [...html.matchAll(/<(?:input|textarea|select)[^>]* required=""[^>]*>/g)].map(
    ([tag]) => / name="(\w+)"/.exec(tag)?.[1],
  );

test.each(Object.entries(REQUIRED))(
  "the required fields of a %s enquiry are marked",
  (kind, required) => {
    const html = render(kind as EnquiryKind);
    const [, legend = ""] = /<legend[^>]*>(.*?)<\/legend>/.exec(html) ?? [];
    for (const name of required) {
      // The home is part of the URL, not a field.
      if (name === "ref") continue;
      // Any one of the days is enough, so the group is marked instead of a field.
      if (name === "times") expect(legend).toContain(" (required)");
      else
        expect(needed(html)).toContain(kind === "general" && name === "name" ? "firstName" : name);
    }
  },
);
