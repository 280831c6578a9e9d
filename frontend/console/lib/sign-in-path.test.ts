import { describe, expect, test } from "vitest";
import { hasEnded, pathAfterSignIn, signInPath } from "./sign-in-path.ts";

describe("signing in", () => {
  const at = (path: string) => new URL(path, "http://console.example");

  test("returns to the page that the operator wanted", () => {
    expect(signInPath(at("/"))).toBe("/sign-in");
    expect(signInPath(at("/es/audit?before=7"))).toBe(
      "/es/sign-in?next=%2Fes%2Faudit%3Fbefore%3D7",
    );
  });

  test("tells an ended session from a first visit", () => {
    expect(signInPath(at("/"), true)).toBe("/sign-in?ended=1");
    expect(signInPath(at("/stores"), true)).toBe("/sign-in?next=%2Fstores&ended=1");
    const search = (url: URL, hadSession?: boolean) => at(signInPath(url, hadSession)).searchParams;
    expect(hasEnded(search(at("/stores"), true))).toBe(true);
    expect(hasEnded(search(at("/stores")))).toBe(false);
  });

  test("never leads to another site or to the API", () => {
    const target = (next: string) => pathAfterSignIn(new URLSearchParams({ next }), "/");
    expect(target("/parked")).toBe("/parked");
    for (const next of ["", "https://evil.example", "//evil.example", "/\\evil", "/api/audit"]) {
      expect(target(next)).toBe("/");
    }
  });
});
