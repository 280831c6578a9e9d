import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import type { PlaceText as Text } from "#app/lib/api/types.ts";
import { PlaceText } from "./place-text.tsx";

/** Renders the text below the list of a place for which the editors have written `written`. */
function shown(written: Partial<Text>, path = "/property-for-sale/nerja"): string {
  const place = { name: "Nerja", language: "en", description: "", ...written } as Text;
  return renderToStaticMarkup(
    <MemoryRouter initialEntries={[path]}>
      <PlaceText place={place} />
    </MemoryRouter>,
  );
}

test("a place links to its introduction page, with or without a description", () => {
  for (const description of ["", "<p>White above the sea.</p>"]) {
    const text = shown({ description, page: "nerja-malaga-east" });
    expect(text).toContain('href="/nerja-malaga-east"');
    expect(text).toContain("Our introduction to Nerja");
    expect(text.includes("prose")).toBe(description !== "");
  }
  const spanish = shown({ page: "nerja-malaga-east" }, "/es/property-for-sale/nerja");
  expect(spanish).toContain('href="/es/nerja-malaga-east"');
});

test("a place without texts renders nothing", () => {
  expect(shown({})).toBe("");
});
