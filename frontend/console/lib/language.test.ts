import { afterEach, describe, expect, test, vi } from "vitest";
import { chooseLanguage, elsewhere, ownLanguage, spokenFirst } from "./language.ts";

afterEach(() => vi.unstubAllGlobals());

describe("the language", () => {
  test("is the browser's first that we speak", () => {
    expect(spokenFirst(["de-DE", "es-MX", "en"])).toBe("es");
    expect(spokenFirst(["de"])).toBe("en");
    expect(spokenFirst([])).toBe("en");
  });

  test("can be chosen where the browser keeps nothing", () => {
    const forbidden = () => {
      throw new DOMException("storage is forbidden", "SecurityError");
    };
    vi.stubGlobal("localStorage", { getItem: forbidden, setItem: forbidden });
    vi.stubGlobal("navigator", { languages: ["es-ES"] });
    expect(ownLanguage()).toBe("es");
    chooseLanguage("en");
    expect(ownLanguage()).toBe("en");
  });

  test("leads to the same page in it", () => {
    const at = (path: string) => new URL(path, "http://console.example");
    expect(elsewhere(at("/audit?before=7"), "es")).toBe("/es/audit?before=7");
    expect(elsewhere(at("/es/audit"), "en")).toBe("/audit");
    expect(elsewhere(at("/es"), "es")).toBeUndefined();
  });
});
