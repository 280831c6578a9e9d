import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";
import type { Account, SentEnquiry } from "#app/lib/account/account.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";
import { siteQuery } from "#app/lib/site/site-query.ts";
import { Details } from "./details.tsx";
import { MyEnquiries } from "./my-enquiries.tsx";

const ACCOUNT: Account = {
  email: "ann@example.com",
  locale: "en",
  createdAt: "2026-11-01T10:00:00Z",
  hasPassword: true,
  marketingConsent: true,
  enquiries: [],
  passkeys: [],
  searches: [],
  sessions: [],
};

/** A page of the client area in a language, with `part` in it. */
function page(part: ReactNode, locale: Locale): string {
  const client = new QueryClient();
  client.setQueryData<unknown>(siteQuery(locale).queryKey, { body: {}, sequence: 1, tags: [] });
  const Page = createRoutesStub([{ path: "*", Component: () => part }]);
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <Page initialEntries={[locale === "es" ? "/es/account/details" : "/account/details"]} />
    </QueryClientProvider>,
  );
}

test("each form of the details says whose it is", () => {
  const forms = page(<Details account={ACCOUNT} answer={undefined} saved={null} />, "en").split(
    "<form",
  );
  expect(forms.length).toBeGreaterThan(4);
  for (const form of forms.slice(1)) {
    expect(form).toContain('<input type="hidden" name="account" value="ann@example.com"/>');
  }
});

test("that a form was of another account is told, first of all in the title", () => {
  const other = (locale: Locale) =>
    page(<Details account={ACCOUNT} answer={undefined} saved={null} isOther />, locale);
  expect(other("en")).toMatch(/<title>Nothing was changed\. .+ role="alert"[^>]*>Nothing was/s);
  expect(other("es")).toMatch(/<title>No se ha cambiado nada\. .+ role="alert"[^>]*>No se ha/s);
});

test("no browser ticks a consent by itself that was withdrawn since", () => {
  const html = page(<Details account={ACCOUNT} answer={undefined} saved={null} />, "en");
  const [box] = /<input type="checkbox"[^>]*>/.exec(html) ?? [];
  expect(box).toContain('autoComplete="off"');
});

const ENQUIRY: SentEnquiry = {
  reference: "E-7K3QX9",
  kind: "property",
  state: "new",
  name: "Ann",
  locale: "es",
  homeReference: "AH-1",
  homeTitle: "Casa con patio",
  homePath: "/es/property-for-sale/nerja/AH-1",
  receivedAt: "2026-11-01T10:00:00Z",
  times: [],
  pictures: [],
};

test("the home of an enquiry is shown in the page's language, and named in the one that was asked in", () => {
  const enquiries = <MyEnquiries enquiries={[ENQUIRY]} />;
  expect(page(enquiries, "en")).toMatch(
    /<p lang="es-ES"[^>]*><a href="\/property-for-sale\/nerja\/AH-1"[^>]*>Casa con patio</,
  );
  expect(page(enquiries, "es")).toMatch(
    /<p class[^>]*><a href="\/es\/property-for-sale\/nerja\/AH-1"[^>]*>Casa con patio</,
  );
});
