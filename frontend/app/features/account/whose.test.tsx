import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";
import type { Account, FormAnswer, SentEnquiry } from "#app/lib/account/account.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";
import { siteQuery } from "#app/lib/site/site-query.ts";
import { Details } from "./details.tsx";
import { LinkForm } from "./link-form.tsx";
import { MyEnquiries } from "./my-enquiries.tsx";
import { PasswordForm } from "./password-form.tsx";

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

test("no browser brings what another account's owner typed, and yet fills in a name that it knows", () => {
  const html = page(<Details account={ACCOUNT} answer={undefined} saved={null} />, "en");
  for (const form of html.match(/<form[^>]*>/g) ?? []) expect(form).toContain('autoComplete="off"');
  expect(html).toMatch(/<input(?=[^>]* name="name")[^>]* autoComplete="name"/);
});

test("a browser keeps and fills in a password with its address", () => {
  const details = page(<Details account={ACCOUNT} answer={undefined} saved={null} />, "en");
  const form = /id="password".+?<\/form>/s.exec(details)?.[0] ?? "";
  const [address = "", password] = form.match(/<input[^>]*autoComplete[^>]*>/g) ?? [];
  for (const part of [
    'type="email"',
    "hidden",
    'autoComplete="username"',
    `value="${ACCOUNT.email}"`,
  ]) {
    expect(address).toContain(part);
  }
  expect(password).toContain('autoComplete="new-password"');
  const signIn = page(<PasswordForm next="" answer={undefined} />, "en");
  expect(signIn).toMatch(
    / name="email"[^>]* autoComplete="username"|autoComplete="username"[^>]* name="email"/,
  );
  expect(signIn).toContain('autoComplete="current-password"');
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

test("who is signed in is told by a link that may be of another, before it is used and after", () => {
  const link = (locale: Locale, answer?: FormAnswer) =>
    page(<LinkForm token="x" present="ann@example.com" answer={answer} />, locale);
  expect(link("en")).toContain("You are signed in as ann@example.com.");
  expect(link("es")).toContain("Ha entrado como ann@example.com.");
  for (const [locale, title, area] of [
    ["en", "You are signed in already", "/account"],
    ["es", "Ya ha entrado", "/es/account"],
  ] as const) {
    const html = link(locale, { failure: "over" });
    expect(html).toMatch(new RegExp(`<title>${title}.+ ann@example\\.com.+ href="${area}"`, "s"));
    // To the page of signing in, which leads who is in on, by way of signing out.
    expect(html).toMatch(new RegExp(`action="${area}/details".+ value="sign-out"`, "s"));
  }
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
