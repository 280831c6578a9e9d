import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { expect, test, vi } from "vitest";
import type { Picture } from "#app/lib/api/types.ts";
import { Lightbox } from "./lightbox.tsx";

// Overlays are not rendered on the server, so a stub renders the dialog's content in place.
vi.mock("#app/ui/dialog.tsx", () => ({
  FullDialog: ({ children }: { children: React.ReactNode }) => children,
}));

function markup(pictures: Picture[], start = 0): string {
  return renderToStaticMarkup(
    <MemoryRouter initialEntries={["/es"]}>
      <Lightbox
        pictures={pictures}
        start={start}
        title="Casa"
        alt={(index) => `Casa, foto ${index + 1}`}
        onClose={() => undefined}
        opener={{ current: null }}
      />
    </MemoryRouter>,
  );
}

const picture: Picture = { file: "a", version: "1", width: 4, height: 3, alt: "Un patio" };

test("without a picture that can be shown it says so, and has no navigation buttons", () => {
  for (const none of [[], [{ ...picture, width: 0 }]]) {
    const html = markup(none);
    expect(html).toContain('role="alert"');
    expect(html).toContain("No hay imágenes que mostrar.");
    expect(html).not.toContain("Imagen siguiente");
  }
});

test("it opens at the last picture if the index is out of range", () => {
  const html = markup([picture, { ...picture, file: "b", alt: "Un pozo" }], 9);
  expect(html).toContain("2 / 2");
  expect(html).toContain("Imagen 2 de 2: Un pozo");
});
