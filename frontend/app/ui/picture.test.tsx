import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { CARD_WIDTHS, MEDIA_WIDTHS, Picture, sourceSet } from "./picture.tsx";

const picture = { file: "f", version: "v", width: 700, height: 525, alt: "" };

test("no picture is requested wider than it is, or at a width that the site does not produce", () => {
  const candidates = sourceSet(picture, "avif", CARD_WIDTHS)
    .split(", ")
    .map((candidate) => candidate.split(" "));
  expect(candidates).toEqual([
    ["/media/f/v/480.avif", "480w"],
    ["/media/f/v/800.avif", "700w"],
  ]);
  for (const width of CARD_WIDTHS) expect(MEDIA_WIDTHS).toContain(width);
});

test("the inlined placeholder is shown behind the photograph", () => {
  const markup = (placeholder: string | null) =>
    renderToStaticMarkup(<Picture picture={{ ...picture, placeholder }} sizes="1rem" />);
  expect(markup("UklGRg+/=")).toContain('style="--pixels:url(data:image/webp;base64,UklGRg+/=)"');
  expect(markup(null)).not.toContain("style=");
});
