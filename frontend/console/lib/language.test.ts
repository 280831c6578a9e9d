import { describe, expect, test } from "vitest";
import { elsewhere, spokenFirst } from "./language.ts";

describe("the language", () => {
  test("is the browser's first that we speak", () => {
    expect(spokenFirst(["de-DE", "es-MX", "en"])).toBe("es");
    expect(spokenFirst(["de"])).toBe("en");
    expect(spokenFirst([])).toBe("en");
  });

  test("leads to the same page in it", () => {
    const at = (path: string) => new URL(path, "http://console.example");
    expect(elsewhere(at("/audit?before=7"), "es")).toBe("/es/audit?before=7");
    expect(elsewhere(at("/es/audit"), "en")).toBe("/audit");
    expect(elsewhere(at("/es"), "es")).toBeUndefined();
  });
});
