import { expect, test } from "vitest";
import { linkPreviewPath, type PicturedHome } from "./link-preview.ts";

const image = { file: "f", version: "19a", width: 4, height: 3, alt: "" };
const home: PicturedHome = {
  ref: "AH-1",
  price: 300_000,
  status: "for_sale",
  reduced: false,
  kind: "villa",
  bedrooms: 3,
  location: { slug: "nerja", name: "Nerja" },
  images: [image],
};

test("the address changes with all that is drawn, and with the language", () => {
  const addresses = [
    linkPreviewPath("en", home),
    linkPreviewPath("es", home),
    linkPreviewPath("en", { ...home, price: 290_000 }),
    linkPreviewPath("en", { ...home, price: null }),
    linkPreviewPath("en", { ...home, status: "sold" }),
    linkPreviewPath("en", { ...home, reduced: true }),
    linkPreviewPath("en", { ...home, kind: "townhouse" }),
    linkPreviewPath("en", { ...home, bedrooms: 4 }),
    linkPreviewPath("en", { ...home, location: { slug: "nerja", name: "Nerja Pueblo" } }),
    linkPreviewPath("en", { ...home, images: [{ ...image, file: "g" }] }),
    linkPreviewPath("en", { ...home, images: [{ ...image, version: "19b" }] }),
    linkPreviewPath("en", { ...home, images: [] }),
  ];
  expect(new Set(addresses).size).toBe(addresses.length);
  for (const address of addresses) {
    expect(address).toMatch(/^\/share\/(en|es)\/AH-1\.jpg\?v=\w+-\w+$/);
  }
});

test("the address stays while nothing that is drawn changes", () => {
  const second = { ...image, file: "h" };
  const other = { ...home, location: { slug: "pueblo", name: "Nerja" }, images: [image, second] };
  expect(linkPreviewPath("en", other)).toBe(linkPreviewPath("en", home));
});
