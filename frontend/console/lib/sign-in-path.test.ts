import { describe, expect, test } from "vitest";
import { pathAfter, signInPath } from "./sign-in-path.ts";

describe("signing in", () => {
  const at = (path: string) => new URL(path, "http://console.example");

  test("leads back to where somebody wanted to go", () => {
    expect(signInPath(at("/"))).toBe("/sign-in");
    expect(signInPath(at("/es/audit?before=7"))).toBe(
      "/es/sign-in?next=%2Fes%2Faudit%3Fbefore%3D7",
    );
  });

  test("never leads elsewhere", () => {
    const ledTo = (next: string) => pathAfter(new URLSearchParams({ next }), "/");
    expect(ledTo("/parked")).toBe("/parked");
    for (const next of ["", "https://evil.example", "//evil.example", "/\\evil", "/api/audit"]) {
      expect(ledTo(next)).toBe("/");
    }
  });
});
