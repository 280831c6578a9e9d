import { describe, expect, test } from "vitest";
import { hasEnded, pathAfter, signInPath } from "./sign-in-path.ts";

describe("signing in", () => {
  const at = (path: string) => new URL(path, "http://console.example");

  test("leads back to where somebody wanted to go", () => {
    expect(signInPath(at("/"))).toBe("/sign-in");
    expect(signInPath(at("/es/audit?before=7"))).toBe(
      "/es/sign-in?next=%2Fes%2Faudit%3Fbefore%3D7",
    );
  });

  test("knows whose session has ended from who comes first", () => {
    expect(signInPath(at("/"), true)).toBe("/sign-in?ended=1");
    expect(signInPath(at("/stores"), true)).toBe("/sign-in?next=%2Fstores&ended=1");
    const search = (url: URL, wasIn?: boolean) => at(signInPath(url, wasIn)).searchParams;
    expect(hasEnded(search(at("/stores"), true))).toBe(true);
    expect(hasEnded(search(at("/stores")))).toBe(false);
  });

  test("never leads elsewhere", () => {
    const ledTo = (next: string) => pathAfter(new URLSearchParams({ next }), "/");
    expect(ledTo("/parked")).toBe("/parked");
    for (const next of ["", "https://evil.example", "//evil.example", "/\\evil", "/api/audit"]) {
      expect(ledTo(next)).toBe("/");
    }
  });
});
