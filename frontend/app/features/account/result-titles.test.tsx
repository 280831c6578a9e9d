import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";
import type { Account, FormAnswer } from "#app/lib/account/account.ts";
import { siteQuery } from "#app/lib/site/site-query.ts";
import { CodeForm } from "./code-form.tsx";
import { Details } from "./details.tsx";
import { LinkForm } from "./link-form.tsx";
import { PasswordForm } from "./password-form.tsx";
import { SignInForm } from "./sign-in-form.tsx";

/** Returns the title of a document that renders `part`. */
function titleOf(part: ReactNode): string | undefined {
  const client = new QueryClient();
  client.setQueryData<unknown>(siteQuery("en").queryKey, { body: {}, sequence: 1, tags: [] });
  const Page = createRoutesStub([{ path: "/account/details", Component: () => part }]);
  const html = renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <Page initialEntries={["/account/details"]} />
    </QueryClientProvider>,
  );
  return /<title>(.*?)<\/title>/.exec(html)?.[1];
}

const TOO_MANY = /^There have been too many attempts from your connection\. .+ minutes\. /;
const AWAY = /^We can’t sign you in just now\. .+ still here\. /;

test.each([
  ["code", (answer?: FormAnswer) => <CodeForm next="" answer={answer} />, "Check your inbox"],
  [
    "link",
    (answer?: FormAnswer) => <LinkForm token="x" present={null} answer={answer} />,
    "One more step and you’re in",
  ],
  [
    "password",
    (answer?: FormAnswer) => <PasswordForm next="" answer={answer} />,
    "Sign in with a password",
  ],
  [
    "address",
    (answer?: FormAnswer) => <SignInForm isNew={false} next="" done={undefined} answer={answer} />,
    "Sign in",
  ],
])("the title of the %s page starts with the failure", (_, form, title) => {
  expect(titleOf(form())).toBe(`${title} | Almijara Homes`);
  for (const [failure, words] of [
    ["too-many", TOO_MANY],
    ["away", AWAY],
  ] as const) {
    const failedTitle = titleOf(form({ failure })) ?? "";
    expect(failedTitle).toMatch(words);
    expect(failedTitle.replace(words, "")).toBe(`${title} | Almijara Homes`);
  }
});

test("the title of the details page starts with the result of the last change", () => {
  const account: Account = {
    email: "ann@example.com",
    locale: "en",
    createdAt: "2026-11-01T10:00:00Z",
    hasPassword: true,
    marketingConsent: false,
    enquiries: [],
    passkeys: [],
    searches: [],
    sessions: [],
  };
  const title = "Your details · Client area | Almijara Homes";
  const titleAfter = (outcome: string | null, answer?: FormAnswer) =>
    titleOf(<Details account={account} answer={answer} outcome={outcome} />);
  expect(titleAfter(null)).toBe(title);
  expect(titleAfter("constructor")).toBe(title);
  expect(titleAfter("saved")).toBe(`Saved. ${title}`);
  expect(titleAfter("password-saved")).toBe(`Your password is saved. ${title}`);
  expect(titleAfter("passkey-made")).toBe(`Passkey created. ${title}`);
  expect(titleAfter("passkey-removed")).toBe(`Passkey removed. ${title}`);
  const failed = "Sorry, that didn’t work. Please try again in a minute.";
  expect(titleAfter(null, { failure: "away" })).toBe(`${failed} ${title}`);
});
