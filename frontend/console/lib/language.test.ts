import { afterEach, describe, expect, test, vi } from "vitest";
import { chooseLanguage, firstSupported, ownLanguage, pathInOwnLanguage } from "./language.ts";

afterEach(() => vi.unstubAllGlobals());

describe("the language", () => {
  test("is the browser's first supported one", () => {
    expect(firstSupported(["de-DE", "es-MX", "en"])).toBe("es");
    expect(firstSupported(["de"])).toBe("en");
    expect(firstSupported([])).toBe("en");
  });

  test("can be chosen without storage", () => {
    const forbidden = () => {
      throw new DOMException("storage is forbidden", "SecurityError");
    };
    vi.stubGlobal("localStorage", { getItem: forbidden, setItem: forbidden });
    vi.stubGlobal("navigator", { languages: ["es-ES"] });
    expect(ownLanguage()).toBe("es");
    chooseLanguage("en");
    expect(ownLanguage()).toBe("en");
  });

  test("redirects to the same page in the operator's language", () => {
    const at = (path: string) => new URL(path, "http://console.example");
    expect(pathInOwnLanguage(at("/audit?before=7"), "es")).toBe("/es/audit?before=7");
    expect(pathInOwnLanguage(at("/es/audit"), "en")).toBe("/audit");
    expect(pathInOwnLanguage(at("/es"), "es")).toBeUndefined();
  });
});
