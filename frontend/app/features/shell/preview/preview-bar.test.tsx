import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { beforeAll, expect, test, vi } from "vitest";
import type { PreviewOfItem } from "#app/lib/preview/preview.ts";
import PreviewBar from "./preview-bar.tsx";

// Of no frame.
beforeAll(() => vi.stubGlobal("window", { parent: undefined }));

const PRICE = { field: "price", old: 300_000, new: 280_000 };

/** The bar with its details, which are open where a field is refused. */
function bar(told: Partial<PreviewOfItem>, path = "/") {
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
    ...told,
  };
  return renderToStaticMarkup(
    <MemoryRouter initialEntries={[path]}>
      <PreviewBar preview={{ origin: "https://site.example", staging: undefined, item }} />
    </MemoryRouter>,
  );
}

test("what a draft changes is said to be its own", () => {
  const html = bar({ draft: true, differences: [PRICE] });
  expect(html).toContain("Draft</span>");
  expect(html).toContain("What this draft changes");
});

test("what was just published is not said to be as it is published while the site lacks it", () => {
  const html = bar({ differences: [PRICE] });
  expect(html).toContain("The site does not show this yet");
  expect(html).toContain("What the site does not show yet");
  expect(html).not.toMatch(/What this draft changes|As it is published/);
  expect(bar({ differences: [PRICE] }, "/es")).toContain("La web aún no muestra esto");
  expect(bar({})).toContain("As it is published");
});
