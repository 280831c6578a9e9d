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

/** Renders `part` in a page of the client area in `locale`. */
function render(part: ReactNode, locale: Locale): string {
  const client = new QueryClient();
  client.setQueryData<unknown>(siteQuery(locale).queryKey, { body: {}, sequence: 1, tags: [] });
  const Page = createRoutesStub([{ path: "*", Component: () => part }]);
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <Page initialEntries={[locale === "es" ? "/es/account/details" : "/account/details"]} />
    </QueryClientProvider>,
  );
}

test("each form of the details names its account, and those of a list the item", () => {
  const seen = { createdAt: "2026-11-01T10:00:00Z", seenAt: "2026-11-01T10:00:00Z" };
  const account: Account = {
    ...ACCOUNT,
    sessions: [
      { ...seen, id: "its-own", isCurrent: true },
      { ...seen, id: "phone", isCurrent: false },
    ],
    passkeys: [{ ...seen, id: "key" }],
  };
  const html = render(<Details account={account} answer={undefined} outcome={null} />, "en");
  const forms = html.match(/<form.+?<\/form>/gs) ?? [];
  for (const form of forms) {
    expect(form).toContain('<input type="hidden" name="account" value="ann@example.com"/>');
  }
  const sent = forms.map((form) => [
    /name="id" value="([^"]+)"/.exec(form)?.[1],
    /<button[^>]* value="([^"]+)"/.exec(form)?.[1],
  ]);
  expect(sent).toEqual([
    [undefined, "save"],
    ["its-own", "sign-out"],
    ["phone", "end"],
    [undefined, "end-others"],
    ["key", "remove-passkey"],
    [undefined, "set-password"],
    [undefined, "delete"],
  ]);
});

test("browsers don't restore what another account's owner typed, but may autofill the name", () => {
  const html = render(<Details account={ACCOUNT} answer={undefined} outcome={null} />, "en");
  for (const form of html.match(/<form[^>]*>/g) ?? []) expect(form).toContain('autoComplete="off"');
  expect(html).toMatch(/<input(?=[^>]* name="name")[^>]* autoComplete="name"/);
});

test("password managers store and fill in a password with its email address", () => {
  const details = render(<Details account={ACCOUNT} answer={undefined} outcome={null} />, "en");
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
  const signIn = render(<PasswordForm next="" answer={undefined} />, "en");
  expect(signIn).toMatch(
    / name="email"[^>]* autoComplete="username"|autoComplete="username"[^>]* name="email"/,
  );
  expect(signIn).toContain('autoComplete="current-password"');
});

test("a form of another account is reported as ignored, also at the start of the title", () => {
  const other = (locale: Locale) =>
    render(<Details account={ACCOUNT} answer={undefined} outcome="other-account" />, locale);
  expect(other("en")).toMatch(/<title>Nothing has changed\. .+ role="alert"[^>]*>Nothing has/s);
  expect(other("es")).toMatch(/<title>No se ha cambiado nada\. .+ role="alert"[^>]*>No se ha/s);
});

test("browsers don't restore the tick of a consent that was withdrawn since", () => {
  const html = render(<Details account={ACCOUNT} answer={undefined} outcome={null} />, "en");
  const [box] = /<input type="checkbox"[^>]*>/.exec(html) ?? [];
  expect(box).toContain('autoComplete="off"');
});

test("a link that may be somebody else's shows who is signed in, before and after it is used", () => {
  const link = (locale: Locale, answer?: FormAnswer) =>
    render(<LinkForm token="x" present="ann@example.com" answer={answer} />, locale);
  expect(link("en")).toContain("You are signed in as ann@example.com.");
  expect(link("es")).toContain("Ha entrado como ann@example.com.");
  for (const [locale, title, area] of [
    ["en", "You are already signed in", "/account"],
    ["es", "Ya ha entrado", "/es/account"],
  ] as const) {
    const html = link(locale, { failure: "over" });
    expect(html).toMatch(new RegExp(`<title>${title}.+ ann@example\\.com.+ href="${area}"`, "s"));
    // By signing out first: the sign-in page redirects signed-in visitors.
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

test("the home of an enquiry links to its page in the page's language, and keeps its title in the enquiry's language", () => {
  const enquiries = <MyEnquiries enquiries={[ENQUIRY]} />;
  expect(render(enquiries, "en")).toMatch(
    /<p lang="es-ES"[^>]*><a href="\/property-for-sale\/nerja\/AH-1"[^>]*>Casa con patio</,
  );
  expect(render(enquiries, "es")).toMatch(
    /<p class[^>]*><a href="\/es\/property-for-sale\/nerja\/AH-1"[^>]*>Casa con patio</,
  );
});
