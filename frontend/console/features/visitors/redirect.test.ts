import { expect, test } from "vitest";
import { isRedirect, redirectOf } from "./redirect.ts";

test("a redirect leads to another page of the site", () => {
  const to = (path: string) => {
    const answers = new FormData();
    answers.set("to", path);
    return redirectOf("/old", answers);
  };
  expect(to(" /new ")).toEqual({ from: "/old", to: "/new", permanent: true });
  expect(isRedirect(to("/property-for-sale?q=nerja"))).toBe(true);
  for (const path of ["", "new", "/old", "//evil.example", "https://evil.example", "/a b"]) {
    expect([path, isRedirect(to(path))]).toEqual([path, false]);
  }
});
