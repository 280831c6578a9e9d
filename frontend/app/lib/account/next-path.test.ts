import { expect, test } from "vitest";
import { isOwnPath, onwardPath, readNext, signedInPath, withNext } from "./next-path.ts";

test("a path of this site is accepted", () => {
  for (const path of ["/", "/account", "/es/account/details", "/a?b=c#d", "/a//b", "/a%2F%5Cb"]) {
    expect(isOwnPath(path), path).toBe(true);
  }
});

test("what a browser reads as another site's address, or as a script, is rejected", () => {
  for (const path of [
    "",
    "account",
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/account\\evil",
    "https://evil.example/",
    "https:evil.example",
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    "data:text/html,x",
    " //evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "/\u0000/evil.example",
    "/account\u007f",
    "/a b",
    "/málaga",
    `/${"a".repeat(2_000)}`,
  ]) {
    expect(isOwnPath(path), JSON.stringify(path)).toBe(false);
  }
});

test("an area that is drawn by hand survives signing in", () => {
  const corners = Array.from({ length: 60 }, (_, index) => `-3.${8701 + index},36.${7501 + index}`);
  const next = `/es/save-search?${new URLSearchParams({ area: corners.join(";") })}`;
  expect(next.length).toBeGreaterThan(1_000);
  const [path, query] = withNext("/login", next).split("?");
  expect([path, readNext(new URLSearchParams(query))]).toEqual(["/login", next]);
  expect(withNext("/login", "")).toBe("/login");
});

test("from an address or a form, only a path of this site is read", () => {
  expect(readNext(new URLSearchParams({ next: "/account/details" }))).toBe("/account/details");
  expect(readNext(new URLSearchParams({ next: "//evil.example" }))).toBe("");
  expect(readNext(new URLSearchParams())).toBe("");
  const form = new FormData();
  form.set("next", "javascript:alert(1)");
  expect(readNext(form)).toBe("");
});

test("a path onward is in the language of the page, unless it names its own", () => {
  expect(onwardPath("es", "/account/details")).toBe("/es/account/details");
  expect(onwardPath("en", "/account/details")).toBe("/account/details");
  expect(onwardPath("en", "/es/account")).toBe("/es/account");
});

test("who is signed in is led to a page of the client area, in the language of the sign-in page", () => {
  const led = (address: string) => signedInPath(new URL(address, "https://site.example"));
  expect(led("/es/login?next=%2Faccount%2Fsearches")).toBe("/es/account/searches");
  expect(led("/login?next=%2Fes%2Faccount")).toBe("/es/account");
  for (const next of ["", "?next=%2F", "?next=%2Faccountant", "?next=%2F%2Fevil.example"]) {
    expect(led(`/es/login${next}`)).toBe("/es/account");
  }
});
