import { expect, test } from "vitest";
import { type PicturedHome, sharingPicture } from "./sharing-picture.ts";

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
    sharingPicture("en", home),
    sharingPicture("es", home),
    sharingPicture("en", { ...home, price: 290_000 }),
    sharingPicture("en", { ...home, price: null }),
    sharingPicture("en", { ...home, status: "sold" }),
    sharingPicture("en", { ...home, reduced: true }),
    sharingPicture("en", { ...home, kind: "townhouse" }),
    sharingPicture("en", { ...home, bedrooms: 4 }),
    sharingPicture("en", { ...home, location: { slug: "nerja", name: "Nerja Pueblo" } }),
    sharingPicture("en", { ...home, images: [{ ...image, file: "g" }] }),
    sharingPicture("en", { ...home, images: [{ ...image, version: "19b" }] }),
    sharingPicture("en", { ...home, images: [] }),
  ];
  expect(new Set(addresses).size).toBe(addresses.length);
  for (const address of addresses) {
    expect(address).toMatch(/^\/share\/(en|es)\/AH-1\.jpg\?v=\w+-\w+$/);
  }
});

test("the address stays while nothing that is drawn changes", () => {
  const second = { ...image, file: "h" };
  const other = { ...home, location: { slug: "pueblo", name: "Nerja" }, images: [image, second] };
  expect(sharingPicture("en", other)).toBe(sharingPicture("en", home));
});
