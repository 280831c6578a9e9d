import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { beforeAll, expect, test, vi } from "vitest";
import type { PreviewOfItem } from "#app/lib/preview/preview.ts";
import PreviewBar from "./preview-bar.tsx";

// The page is in no frame.
beforeAll(() => vi.stubGlobal("window", { parent: undefined }));

const PRICE = { field: "price", old: 300_000, new: 280_000 };

/** Renders the bar with its details, which are open because a field is refused. */
function bar(fields: Partial<PreviewOfItem>, path = "/", staging?: string) {
  const item: PreviewOfItem = {
    collection: "properties",
    item: "7",
    status: "published",
    draft: false,
    published: true,
    studio: "https://studio.example",
    differences: [],
    refused: [{ field: "price", value: "-5", rule: "must be more" }],
    leftOut: [],
    ...fields,
  };
  return renderToStaticMarkup(
    <MemoryRouter initialEntries={[path]}>
      <PreviewBar preview={{ origin: "https://site.example", staging, item }} />
    </MemoryRouter>,
  );
}

test("the changes of a draft are labelled as such", () => {
  const html = bar({ draft: true, differences: [PRICE] });
  expect(html).toContain("Draft</span>");
  expect(html).toContain("What this draft changes");
});

test("a just published item is labelled as not on the site yet", () => {
  const html = bar({ differences: [PRICE] });
  expect(html).toContain("The site does not show this yet");
  expect(html).toContain("What the site does not show yet");
  expect(html).not.toMatch(/What this draft changes|As published/);
  expect(bar({ differences: [PRICE] }, "/es")).toContain("La web aún no muestra esto");
  expect(bar({})).toContain("As published");
});

test("a page of a development API names it, and links to the same page of the site's own", () => {
  const html = bar({}, "/news?page=2&staging=next", "next");
  expect(html).toContain("Development API: next");
  expect(html).toMatch(/href="\/news\?page=2&amp;staging="[^>]*>Back to the site’s own API/);
  const spanish = bar({}, "/es/news", "next");
  expect(spanish).toContain("API de desarrollo: next");
  expect(spanish).toMatch(/href="\/es\/news\?staging="[^>]*>Volver a la API de la web/);
  expect(bar({}, "/news")).not.toContain("staging=");
});
