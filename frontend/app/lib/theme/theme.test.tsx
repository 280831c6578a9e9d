import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { describe, expect, test } from "vitest";
import { ThemeChoice } from "#app/ui/theme-choice.tsx";
import {
  forcedTheme,
  forcedThemeWarning,
  requestedTheme,
  systemBar,
  THEME_SCRIPT,
} from "./theme.ts";

/** Runs the head's script in a document whose visitor has chosen `stored`. */
function afterScript(dataset: Record<string, string>, stored: string | null) {
  const bars: { content?: string }[] = [];
  const document = {
    documentElement: { dataset },
    createElement: () => ({}),
    head: { prepend: (bar: { content?: string }) => bars.push(bar) },
  };
  new Function("document", "localStorage", THEME_SCRIPT)(document, { getItem: () => stored });
  return { theme: dataset.theme, bar: bars[0]?.content };
}

describe("the head's script", () => {
  test("applies the stored choice, and leaves the rest to the device", () => {
    expect(afterScript({}, "dark")).toEqual({ theme: "dark", bar: "#111827" });
    expect(afterScript({}, "light")).toEqual({ theme: "light", bar: "white" });
    expect(afterScript({}, "system")).toEqual({ theme: undefined, bar: undefined });
    expect(afterScript({}, null)).toEqual({ theme: undefined, bar: undefined });
  });

  test("leaves a page that forces its colours unchanged", () => {
    const forced = { theme: "light", forcedTheme: "light" };
    expect(afterScript(forced, "dark")).toEqual({ theme: "light", bar: undefined });
  });
});

describe("a page that forces its colours", () => {
  test("is decided by the innermost route that requests a mode", () => {
    const forced = (...handles: unknown[]) => forcedTheme(requestedTheme(handles));
    expect(forced(undefined, { colorMode: "dark" }, {})).toBe("dark");
    expect(forced({ colorMode: "dark" }, { colorMode: "light" })).toBe("light");
    expect(forced(undefined, null, {})).toBeUndefined();
  });

  test("can't force the device's own colours, and logs a warning", () => {
    expect(forcedTheme("system")).toBeUndefined();
    expect(forcedThemeWarning("system")).toContain('not "system"');
    for (const mode of ["light", "dark", undefined]) {
      expect(forcedThemeWarning(mode)).toBeUndefined();
    }
  });

  test("colours the browser's bar accordingly, whatever the device prefers", () => {
    expect(systemBar("dark").map(({ content }) => content)).toEqual(["#111827", "#111827"]);
    expect(systemBar().map(({ content }) => content)).toEqual(["white", "#111827"]);
  });

  test.each([
    ["/", { colorMode: "dark" }, "This page has its own colours"],
    ["/es", { colorMode: "light" }, "Esta página tiene colores propios"],
  ])("at %s disables the choice and says why", (path, handle, words) => {
    const markup = choiceAt(path, handle);
    expect(markup).toContain("<fieldset disabled");
    expect(markup).toContain(`<legend class="sr-only">${words}</legend>`);
  });

  test("and no other page disables it", () => {
    expect(choiceAt("/", undefined)).not.toContain("<fieldset disabled");
  });
});

/** Renders the choice on a page with this route handle. */
function choiceAt(path: string, handle: unknown): string {
  const Page = createRoutesStub([{ path, handle, Component: ThemeChoice }]);
  return renderToStaticMarkup(<Page initialEntries={[path]} />);
}

test("the document has the space of the choice, whose buttons need a script", () => {
  expect(choiceAt("/", undefined)).toBe(
    '<fieldset class="theme-choice"><legend class="sr-only">Colours</legend></fieldset>',
  );
});
